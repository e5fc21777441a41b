import type { apiCallHistoryInput, ApiCallHistory } from '@deviceportal/contract/api-calls';
import type { z } from 'zod';
import type { Executor } from '../platform/database/database.ts';
import type { ApiCallFilter } from './data/api-call-conditions.ts';
import { readApiCallHistory } from './data/read-api-call-history.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Round step lengths; the longest is for time ranges beyond the retention of calls. */
const stepLengthsMs = [1, 5, 15, 30, 60, 120, 360, 720, 1_440, 10_080].map(
  (minutes) => minutes * MINUTE_MS,
);
const MAX_STEPS = 100;

/**
 * Calls, errors, and durations over a time range, by default the last hour, in at most 100 steps.
 * @param nowMs end of a time range without an end
 */
export async function getApiCallHistory(
  on: Executor,
  { range, ...filter }: z.infer<typeof apiCallHistoryInput> & Pick<ApiCallFilter, 'sight'>,
  nowMs: number,
): Promise<ApiCallHistory> {
  const toMs = range.to === null ? nowMs : Date.parse(range.to);
  const fromMs = range.from === null ? toMs - HOUR_MS : Date.parse(range.from);
  const stepMs = stepLengthOf(toMs - fromMs);
  const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
  return { stepMs, steps: await readApiCallHistory(on, { ...filter, from, to, stepMs }) };
}

/** The shortest step length that fits a chart of `MAX_STEPS` steps. */
export function stepLengthOf(periodMs: number): number {
  return (
    stepLengthsMs.find((lengthMs) => periodMs / lengthMs <= MAX_STEPS) ??
    Math.ceil(periodMs / MAX_STEPS)
  );
}
