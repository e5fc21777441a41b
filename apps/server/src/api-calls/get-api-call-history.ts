import type { apiCallHistoryInput, ApiCallHistory } from '@deviceportal/contract/api-calls';
import type { z } from 'zod';
import type { Executor } from '../platform/database/database.ts';
import type { ApiCallFilter } from './data/api-call-conditions.ts';
import { readApiCallHistory } from './data/read-api-call-history.ts';

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

/** The shortest step that does not need more steps than a chart can show. */
export function stepLengthOf(periodMs: number): number {
  return (
    stepLengthsMs.find((lengthMs) => periodMs / lengthMs <= MOST_STEPS) ??
    Math.ceil(periodMs / MOST_STEPS)
  );
}
