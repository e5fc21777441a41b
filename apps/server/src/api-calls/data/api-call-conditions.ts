import { and, eq, gte, isNotNull, lte, sql, type SQL } from 'drizzle-orm';
import { apiCall } from './api-calls-tables.ts';

/** Conditions for calls; null does not limit. */
export interface ApiCallFilter {
  /** `apiCallVisibility` */
  readonly sight: SQL;
  readonly path: string | null;
  readonly userId: string | null;
  readonly onlyErrors: boolean;
  readonly errorCode: number | null;
  readonly minDurationMs: number | null;
  readonly requestId: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

export const apiCallConditions = (filter: ApiCallFilter): SQL | undefined =>
  and(
    filter.sight,
    filter.path ? eq(apiCall.path, filter.path) : undefined,
    filter.userId ? eq(apiCall.userId, filter.userId) : undefined,
    filter.onlyErrors ? isNotNull(apiCall.errorCode) : undefined,
    filter.errorCode === null ? undefined : eq(apiCall.errorCode, filter.errorCode),
    filter.minDurationMs === null ? undefined : gte(apiCall.durationMs, filter.minDurationMs),
    filter.requestId ? eq(apiCall.requestId, filter.requestId) : undefined,
    filter.from ? gte(apiCall.at, sql`${filter.from}::timestamptz`) : undefined,
    filter.to ? lte(apiCall.at, sql`${filter.to}::timestamptz`) : undefined,
  );
