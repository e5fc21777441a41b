import { and, count, desc, sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { percentileOf } from '../../platform/database/percentile-of.ts';
import { apiCall } from './api-calls-tables.ts';

/** Number of calls, errors, and durations of one procedure in the time range. */
export interface ApiCallSummary {
  readonly path: string;
  readonly calls: number;
  readonly errors: number;
  readonly medianMs: number;
  readonly p95Ms: number;
}

const MAX_PATHS = 200;

/** @param minutes how far back */
export async function summarizeApiCalls(
  on: Executor,
  { minutes, sight }: { readonly minutes: number; readonly sight: SQL },
): Promise<ApiCallSummary[]> {
  const rows = await on
    .select({
      path: apiCall.path,
      calls: count(),
      errors: count(apiCall.errorCode),
      medianMs: percentileOf(0.5, apiCall.durationMs),
      p95Ms: percentileOf(0.95, apiCall.durationMs),
    })
    .from(apiCall)
    .where(and(sql`${apiCall.at} > portal_now() - make_interval(mins => ${minutes})`, sight))
    .groupBy(apiCall.path)
    .orderBy(desc(count()))
    .limit(MAX_PATHS);
  return rows.map((row) => ({ ...row, medianMs: row.medianMs ?? 0, p95Ms: row.p95Ms ?? 0 }));
}
