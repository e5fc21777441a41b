import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '../platform/database/database.ts';
import type { ApiCallFilter } from './api-call-store.ts';

export const summariseApiCallsInput = z.object({
  /** How far back, in minutes. */
  minutes: z
    .int()
    .min(1)
    .max(60 * 24 * 7)
    .default(60),
});

/** One procedure in the period: how often, how often badly, how long. */
export interface ApiCallSummary {
  readonly path: string;
  readonly calls: number;
  readonly errors: number;
  readonly medianMs: number;
  readonly p95Ms: number;
}

export async function summariseApiCalls(
  executor: Executor,
  input: z.infer<typeof summariseApiCallsInput> & Pick<ApiCallFilter, 'sight'>,
): Promise<ApiCallSummary[]> {
  const { rows } = await executor.execute<Record<string, never>>(sql`
    select path, count(*)::int as calls, count(error_code)::int as errors,
           percentile_cont(0.5) within group (order by duration_ms) as "medianMs",
           percentile_cont(0.95) within group (order by duration_ms) as "p95Ms"
    from api_call where at > portal_now() - make_interval(mins => ${input.minutes}) and ${input.sight}
    group by path order by calls desc limit 200`);
  return rows as unknown as ApiCallSummary[];
}
