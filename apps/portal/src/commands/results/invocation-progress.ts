import type { InvocationRow } from '@deviceportal/contract/invocations';
import { refreshMs } from '../../live/refresh-policy.ts';
import type { RunCounters, RunRow } from '@deviceportal/contract/runs';
import { isFinal, type InvocationState, type RunState } from '@deviceportal/contract/states';

/** Milliseconds after the start during which the result is refreshed more often. */
const EAGER_PERIOD_MS = 20_000;

/** The duration in milliseconds, from the start on the device, or before that from queuing. */
export function elapsedMs(
  invocation: Pick<InvocationRow, 'queuedAt' | 'startedAt' | 'endedAt'>,
  nowMs: number,
): number {
  const from = Date.parse(invocation.startedAt ?? invocation.queuedAt);
  const until = invocation.endedAt === null ? nowMs : Date.parse(invocation.endedAt);
  return Math.max(0, until - from);
}

export function runElapsedMs(run: Pick<RunRow, 'createdAt' | 'endedAt'>, nowMs: number): number {
  const until = run.endedAt === null ? nowMs : Date.parse(run.endedAt);
  return Math.max(0, until - Date.parse(run.createdAt));
}

/**
 * The refresh interval: 10000 ms until final (docs/design/portal.md, section 4), 2 s in the first
 * 20 s.
 */
export function refreshIntervalMs(
  state: InvocationState | RunState | undefined,
  shownForMs: number,
): number | false {
  if (state !== undefined && isFinal(state)) return false;
  return shownForMs < EAGER_PERIOD_MS ? refreshMs.soon : refreshMs.work;
}

/** The number of finished invocations and their percentage, 0 … 100. */
export function completedOf(counters: RunCounters): {
  readonly count: number;
  readonly percent: number;
} {
  const count = counters.success + counters.failed + counters.timedOut + counters.cancelled;
  const percent = counters.target === 0 ? 100 : Math.floor((100 * count) / counters.target);
  return { count, percent };
}

export function failedOf(counters: RunCounters): number {
  return counters.failed + counters.timedOut;
}
