import { and, isNull, lt } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { airBlast } from './air-blast-tables.ts';

/** Whether a rollout that was planned before this time has not ended. */
export async function isRolloutOpenSince(on: Executor, moment: Date): Promise<boolean> {
  const [open] = await on
    .select({ id: airBlast.id })
    .from(airBlast)
    .where(and(isNull(airBlast.endedAt), lt(airBlast.createdAt, moment)))
    .limit(1);
  return open !== undefined;
}
