import type { Consequence } from '@deviceportal/contract/permissions';
import { eq } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { airBlast } from './air-blast-tables.ts';

/** The consequence of a rollout. A revision of the plan can change it. */
export async function findConsequence(
  on: Executor,
  airBlastId: string,
): Promise<Consequence | undefined> {
  const [run] = await on
    .select({ consequence: airBlast.consequence })
    .from(airBlast)
    .where(eq(airBlast.id, airBlastId));
  return run?.consequence;
}
