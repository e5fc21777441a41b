import type { Consequence } from '@deviceportal/contract/permissions';
import { eq } from 'drizzle-orm';
import type { Executor } from '../../../platform/database/database.ts';
import { commandRun } from '../commands-tables.ts';

/** The consequence of a run, which never changes. */
export async function findConsequence(
  on: Executor,
  runId: string,
): Promise<Consequence | undefined> {
  const [run] = await on
    .select({ consequence: commandRun.consequence })
    .from(commandRun)
    .where(eq(commandRun.id, runId));
  return run?.consequence;
}
