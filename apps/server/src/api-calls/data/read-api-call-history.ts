import { count, eq, sql } from 'drizzle-orm';
import type { ApiCallHistoryStep } from '@deviceportal/contract/api-calls';
import type { Executor } from '../../platform/database/database.ts';
import { apiCallConditions, type ApiCallFilter } from './api-call-conditions.ts';
import { apiCall } from './api-calls-tables.ts';

export interface ApiCallHistoryQuery extends ApiCallFilter {
  readonly from: string;
  readonly to: string;
  readonly stepMs: number;
}

/** One row per step of the time range, including steps without calls. */
export async function readApiCallHistory(
  on: Executor,
  query: ApiCallHistoryQuery,
): Promise<ApiCallHistoryStep[]> {
  const { from, to, stepMs } = query;
  const step = sql`make_interval(secs => ${stepMs / 1_000})`;
  const startOf = (moment: typeof apiCall.at | ReturnType<typeof sql>) =>
    sql<Date>`date_bin(${step}, ${moment}, 'epoch'::timestamptz)`;
  const found = on.$with('found').as(
    on
      .select({
        at: startOf(apiCall.at).as('step_at'),
        calls: count().as('calls'),
        errors: count(apiCall.errorCode).as('errors'),
        durations: sql<
          number[]
        >`percentile_cont(array[0.5, 0.95, 0.99]) within group (order by ${apiCall.durationMs})`.as(
          'durations',
        ),
      })
      .from(apiCall)
      .where(apiCallConditions(query))
      .groupBy(sql`1`),
  );
  const at = sql`step.at`;
  return on
    .with(found)
    .select({
      at: sql<string>`to_char(${at} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
      calls: sql<number>`coalesce(${found.calls}, 0)::int`,
      errors: sql<number>`coalesce(${found.errors}, 0)::int`,
      medianMs: sql<number | null>`${found.durations}[1]`,
      p95Ms: sql<number | null>`${found.durations}[2]`,
      p99Ms: sql<number | null>`${found.durations}[3]`,
    })
    .from(
      sql`generate_series(${startOf(sql`${from}::timestamptz`)}, ${to}::timestamptz, ${step}) as step(at)`,
    )
    .leftJoin(found, eq(found.at, at))
    .orderBy(at);
}
