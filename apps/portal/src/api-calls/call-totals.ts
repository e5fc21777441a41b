import type { ApiCallHistory, ApiCallHistoryStep } from '@deviceportal/contract/api-calls';

const DAY_MS = 86_400_000;

/** The number of calls in all steps, and the share of failed ones, 0 without calls. */
export function callTotals(steps: readonly ApiCallHistoryStep[]): {
  readonly calls: number;
  readonly errorShare: number;
} {
  const calls = steps.reduce((sum, step) => sum + step.calls, 0);
  const errors = steps.reduce((sum, step) => sum + step.errors, 0);
  return { calls, errorShare: calls === 0 ? 0 : errors / calls };
}

/**
 * A label for each step, in UTC like the list: the time, and the day if the range has more than
 * one.
 */
export function stepLabels(history: ApiCallHistory | undefined): string[] {
  if (history === undefined) return [];
  const isLong = history.steps.length * history.stepMs > DAY_MS;
  return history.steps.map(({ at }) => (isLong ? `${at.slice(5, 10)} ` : '') + at.slice(11, 16));
}
