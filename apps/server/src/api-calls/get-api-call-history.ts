import type {
  apiCallHistoryInput,
  ApiCallHistory,
  ApiCallHistoryStep,
} from '@deviceportal/contract/api-calls';
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Executor } from '../platform/database/database.ts';
import { conditionsOf, type ApiCallFilter } from './api-call-store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Lengths that people count in; the longest is for periods beyond those that are kept. */
const stepLengthsMs = [1, 5, 15, 30, 60, 120, 360, 720, 1_440, 10_080].map(
  (minutes) => minutes * MINUTE_MS,
);
const MOST_STEPS = 100;

/**
 * Calls, errors and durations over a period, by default the last hour, in at most a hundred steps.
 * @param nowMs where the period has no end
 */
export async function getApiCallHistory(
  executor: Executor,
  { range, ...filter }: z.infer<typeof apiCallHistoryInput> & Pick<ApiCallFilter, 'sight'>,
  nowMs: number,
): Promise<ApiCallHistory> {
  const toMs = range.to === null ? nowMs : Date.parse(range.to);
  const fromMs = range.from === null ? toMs - HOUR_MS : Date.parse(range.from);
  const stepMs = stepLengthOf(toMs - fromMs);
  const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
  const conditions = conditionsOf({ ...filter, from, to });
  const step = sql`make_interval(secs => ${stepMs / 1_000})`;
  const { rows } = await executor.execute<Record<string, never>>(sql`
    with found as (
      select date_bin(${step}, at, 'epoch'::timestamptz) as at, count(*)::int as calls,
             count(error_code)::int as errors,
             percentile_cont(array[0.5, 0.95, 0.99]) within group (order by duration_ms) as durations
      from api_call where ${sql.join(conditions, sql` and `)} group by 1)
    select to_char(step.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at,
           coalesce(calls, 0) as calls, coalesce(errors, 0) as errors,
           durations[1] as "medianMs", durations[2] as "p95Ms", durations[3] as "p99Ms"
    from generate_series(date_bin(${step}, ${from}::timestamptz, 'epoch'::timestamptz),
                         ${to}::timestamptz, ${step}) as step(at)
    left join found on found.at = step.at order by step.at`);
  return { stepMs, steps: rows as unknown as ApiCallHistoryStep[] };
}

/** The shortest step that does not need more steps than a chart can show. */
export function stepLengthOf(periodMs: number): number {
  return (
    stepLengthsMs.find((lengthMs) => periodMs / lengthMs <= MOST_STEPS) ??
    Math.ceil(periodMs / MOST_STEPS)
  );
}
