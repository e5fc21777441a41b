import { eq } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { invocation } from './commands-tables.ts';

/** The device and the run of an invocation; undefined if it does not exist. */
export async function findInvocationPlace(on: Executor, id: string) {
  const [found] = await on
    .select({ deviceId: invocation.deviceId, runId: invocation.runId })
    .from(invocation)
    .where(eq(invocation.id, id));
  return found;
}
