import { and, inArray, isNull, max } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { apiCall } from './api-calls-tables.ts';

export interface LastCall {
  readonly userId: string;
  readonly path: string;
  readonly at: Date;
}

/** The last successful call of each user to each procedure, within the retention of the journal. */
export async function findLastCalls(on: Executor, userIds: readonly string[]): Promise<LastCall[]> {
  if (userIds.length === 0) return [];
  const rows = await on
    .select({ userId: apiCall.userId, path: apiCall.path, at: max(apiCall.at) })
    .from(apiCall)
    .where(and(inArray(apiCall.userId, [...userIds]), isNull(apiCall.errorCode)))
    .groupBy(apiCall.userId, apiCall.path);
  return rows.flatMap(({ userId, path, at }) =>
    userId === null || at === null ? [] : [{ userId, path, at }],
  );
}
