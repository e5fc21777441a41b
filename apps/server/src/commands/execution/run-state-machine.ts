import type { InvocationState, RunState, StatusDetails } from '@deviceportal/contract/states';

/** How many invocations of a run ended how: the rows of its invocations, grouped. */
export type DetailsCount = Readonly<Partial<Record<StatusDetails, number>>>;

export interface RunOutcome {
  readonly state: RunState;
  readonly statusDetails: StatusDetails;
}

/** Ends that make the run itself Failed when every target met one of them (docs/design/decisions.md, section 4). */
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

/** `3` or `10%` of the targets; at least `least`. */
export function limitOf(value: string, targetCount: number, least: number): number {
  const amount = value.endsWith('%')
    ? Math.floor((targetCount * Number(value.slice(0, -1))) / 100)
    : Number(value);
  return Math.max(least, amount);
}

/**
 * Failed (before, in or after the document) and Execution Timed Out count as errors; delivery time-outs, cancellations
 * and the unreachable do not.
 */
export function errorCount(counts: DetailsCount): number {
  return countedAsErrors.reduce((sum, details) => sum + (counts[details] ?? 0), 0);
}

/** maxErrors is how many errors are allowed: 3 stops on the fourth. */
export function isStopped(counts: DetailsCount, maxErrors: string, targetCount: number): boolean {
  return errorCount(counts) > limitOf(maxErrors, targetCount, 0);
}

export interface RunPace {
  readonly maxConcurrency: string;
  readonly targetCount: number;
  readonly rampLimit: number;
}

/** Shown to who sees a part of a run: how far it has come elsewhere is not theirs to know. */
export const NO_RAMP = 2 ** 31 - 1;

/**
 * How many may be under way now, and how many at most: the ramp grows by one with every end, so it doubles with every
 * full round. It feels the way towards a limit; who asks for 100% has said that there is none, and gets none.
 */
export function placesOf(run: RunPace): { readonly now: number; readonly limit: number } {
  const limit = limitOf(run.maxConcurrency, run.targetCount, 1);
  return { limit, now: run.maxConcurrency === '100%' ? limit : Math.min(limit, run.rampLimit) };
}

/** How many more may be sent now. */
export function freePlaces(run: RunPace & { readonly inProgressCount: number }): number {
  return Math.max(0, placesOf(run).now - run.inProgressCount);
}

/** The end of a run whose invocations have all ended. */
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

/** The state that SSM's finer word belongs to. */
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

/** Which of a run's counters an invocation in this state stands in. */
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

/** What may follow: a final state never changes, whatever arrives late. */
export function mayFollow(from: InvocationState, to: InvocationState): boolean {
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
