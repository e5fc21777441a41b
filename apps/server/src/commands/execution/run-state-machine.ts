import type { InvocationState, RunState, StatusDetails } from '@deviceportal/contract/states';

/** Number of invocations of a run by status details. */
export type DetailsCount = Readonly<Partial<Record<StatusDetails, number>>>;

export interface RunOutcome {
  readonly state: RunState;
  readonly statusDetails: StatusDetails;
}

/** If every target ended in one of these, the run is Failed (docs/design/decisions.md, section 4). */
const neverReached: readonly StatusDetails[] = [
  'Undeliverable',
  'Invalid Platform',
  'Access Denied',
];

export const countedAsErrors: readonly StatusDetails[] = [
  'Failed',
  'Pre-check Failed',
  'Verify Failed',
  'Execution Timed Out',
];

/** Resolves `3` or `10%` of the targets; at least `least`. */
export function limitOf(value: string, targetCount: number, least: number): number {
  const amount = value.endsWith('%')
    ? Math.floor((targetCount * Number(value.slice(0, -1))) / 100)
    : Number(value);
  return Math.max(least, amount);
}

/**
 * Number of errors: Failed (in any phase) and Execution Timed Out. Delivery timeouts, cancellations, and unreachable
 * devices do not count.
 */
export function errorCount(counts: DetailsCount): number {
  return countedAsErrors.reduce((sum, details) => sum + (counts[details] ?? 0), 0);
}

/** Whether there are more errors than `maxErrors`: with 3, the fourth error stops the run. */
export function isStopped(counts: DetailsCount, maxErrors: string, targetCount: number): boolean {
  return errorCount(counts) > limitOf(maxErrors, targetCount, 0);
}

export interface RunPace {
  readonly maxConcurrency: string;
  readonly targetCount: number;
  readonly rampLimit: number;
}

/**
 * Shown instead of the ramp to viewers who see only a part of a run, because its progress elsewhere is not visible to
 * them.
 */
export const NO_RAMP = 2 ** 31 - 1;

/**
 * Maximum number of invocations in progress, now and overall. The ramp grows by one with every ended invocation, so it
 * doubles with every full round. A concurrency of 100% means no limit and no ramp.
 */
export function placesOf(run: RunPace): { readonly now: number; readonly limit: number } {
  const limit = limitOf(run.maxConcurrency, run.targetCount, 1);
  return { limit, now: run.maxConcurrency === '100%' ? limit : Math.min(limit, run.rampLimit) };
}

/** Number of invocations that can be sent now. */
export function freePlaces(run: RunPace & { readonly inProgressCount: number }): number {
  return Math.max(0, placesOf(run).now - run.inProgressCount);
}

/** Outcome of a run whose invocations have all ended. */
export function outcomeOf(counts: DetailsCount, maxErrors: string): RunOutcome {
  const ends = Object.entries(counts).filter(([, count]) => count > 0);
  const total = ends.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return { state: 'Success', statusDetails: 'No Instances In Tag' };
  if (ends.length === 1) return uniformOutcome(ends[0]?.[0] as StatusDetails);
  if (isStopped(counts, maxErrors, total)) return { state: 'Failed', statusDetails: 'Failed' };
  if ((counts.Cancelled ?? 0) > 0) return { state: 'Cancelled', statusDetails: 'Cancelled' };
  if (ends.every(([details]) => neverReached.includes(details as StatusDetails)))
    return { state: 'Failed', statusDetails: 'Undeliverable' };
  return { state: 'Failed', statusDetails: 'Incomplete' };
}

function uniformOutcome(details: StatusDetails): RunOutcome {
  const state = stateOfDetails(details);
  return { state: state === 'Delayed' ? 'Failed' : state, statusDetails: details };
}

/** The SSM state of the status details. */
export function stateOfDetails(details: StatusDetails): InvocationState {
  switch (details) {
    case 'Pending':
    case 'InProgress':
    case 'Delayed':
    case 'Success':
    case 'Cancelled':
    case 'Cancelling':
    case 'Failed':
      return details;
    case 'Delivery Timed Out':
    case 'Execution Timed Out':
      return 'TimedOut';
    case 'Terminated':
      return 'Cancelled';
    case 'No Instances In Tag':
      return 'Success';
    default:
      return 'Failed';
  }
}

/** Run counters by invocation state. */
export type Counter = 'pending' | 'inProgress' | 'success' | 'failed' | 'timedOut' | 'cancelled';

export function counterOf(state: InvocationState): Counter {
  switch (state) {
    case 'Pending':
    case 'Delayed':
      return 'pending';
    case 'InProgress':
    case 'Cancelling':
      return 'inProgress';
    case 'Success':
      return 'success';
    case 'Failed':
      return 'failed';
    case 'TimedOut':
      return 'timedOut';
    case 'Cancelled':
      return 'cancelled';
  }
}

/** Whether a state can follow another: a final state never changes. */
export function canFollow(from: InvocationState, to: InvocationState): boolean {
  switch (from) {
    case 'Pending':
    case 'Delayed':
      return to !== 'Cancelling';
    case 'InProgress':
      return to !== 'Pending';
    case 'Cancelling':
      return to === 'Success' || to === 'Cancelled' || to === 'TimedOut' || to === 'Failed';
    default:
      return false;
  }
}
