import { eq, or, sql, type SQL } from 'drizzle-orm';
import { deviceInvocations } from '../../../commands/data/device-invocations.ts';

export const countAll = sql<number>`count(*)::int`;

export const countWhere = (condition: SQL | undefined) =>
  sql<number>`(count(*) filter (where ${condition}))::int`;

const { state, statusDetails, endedAt } = deviceInvocations;

/** Counts of invocations. Errors are counted as SSM does: failed, and timed out during execution. */
export const outcomeCounts = {
  ended: countWhere(sql`${endedAt} is not null`),
  success: countWhere(eq(state, 'Success')),
  errors: countWhere(or(eq(state, 'Failed'), eq(statusDetails, 'Execution Timed Out'))),
};
