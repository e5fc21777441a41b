import type { InvocationState, StatusDetails } from '@deviceportal/contract/states';
import { isFinal } from '@deviceportal/contract/states';
import { recordAudit, systemActor } from '../../audit-trail/record-audit.ts';
import { notifyQueuedRan } from '../../notifications/notify-queued-ran.ts';
import { notifyRunEnded } from '../../notifications/notify-run-ended.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import {
  addToCounters,
  countDetails,
  endRun,
  lockOpenRun,
  terminatePending,
  type RunDelta,
  type SettledRun,
} from '../data/execution/settle-queries.ts';
import {
  counterOf,
  errorCount,
  limitOf,
  outcomeOf,
  type Counter,
  type RunOutcome,
} from './run-state-machine.ts';

/** A change of state of one invocation. */
export interface Transition {
  readonly id: string;
  readonly runId: string;
  readonly deviceId: string;
  readonly from: InvocationState;
  readonly to: InvocationState;
  readonly statusDetails: StatusDetails;
}

/**
 * Updates the runs of invocations that changed state, in the same transaction: counters, ramp, stop after too many
 * errors, and end of the run. Locks runs in the order of their IDs, always after invocations. Returns the changes to
 * publish after commit.
 */
export async function settleRuns(
  tx: Transaction,
  transitions: readonly Transition[],
): Promise<Change[]> {
  if (transitions.length === 0) return [];
  const deltas = sumUp(transitions);
  const runs = await addToCounters(tx, deltas);
  const changes: Change[] = [
    { kind: 'invocations', changed: transitions.map(toChanged) },
    { kind: 'run', runIds: runs.map(({ id }) => id) },
  ];
  for (const run of runs) {
    // Upper bound of the errors, so that the invocations of most runs need not be counted.
    if (run.failedCount + run.timedOutCount > limitOf(run.maxErrors, run.targetCount, 0))
      changes.push(...(await stopAfterErrors(tx, run)));
    else if (run.pendingCount + run.inProgressCount === 0)
      changes.push(...(await finishRun(tx, run)));
  }
  // A run that ends soon after it was sent did not wait for its devices.
  const late = new Set(runs.filter(({ isLate }) => isLate).map(({ id }) => id));
  const waited = transitions.filter(({ runId, to }) => late.has(runId) && isFinal(to));
  changes.push(...(await notifyQueuedRan(tx, waited)));
  return changes;
}

const toChanged = ({ id, runId, deviceId, to, statusDetails }: Transition) => ({
  id,
  runId,
  deviceId,
  state: to,
  statusDetails,
});

function sumUp(transitions: readonly Transition[]): RunDelta[] {
  const byRun = new Map<string, { ended: number; counters: Record<Counter, number> }>();
  for (const { runId, from, to } of transitions) {
    const sum = byRun.get(runId) ?? { ended: 0, counters: noCounters() };
    sum.counters[counterOf(from)] -= 1;
    sum.counters[counterOf(to)] += 1;
    if (isFinal(to)) sum.ended += 1;
    byRun.set(runId, sum);
  }
  return [...byRun].map(([id, { ended, counters }]) => ({ id, ended, ...counters }));
}

const noCounters = (): Record<Counter, number> => ({
  pending: 0,
  inProgress: 0,
  success: 0,
  failed: 0,
  timedOut: 0,
  cancelled: 0,
});

/**
 * Checks the error limit again: invocations that were being sent while the run was stopped, and were returned to the
 * queue, end here. An empty result means that the run can continue.
 */
export async function stopIfTooManyErrors(tx: Transaction, runId: string): Promise<Change[]> {
  const run = await lockOpenRun(tx, runId);
  return run ? stopAfterErrors(tx, run) : [];
}

/** Terminates unsent invocations. Running ones continue to their end. */
async function stopAfterErrors(tx: Transaction, run: SettledRun): Promise<Change[]> {
  const counts = await countDetails(tx, run.id);
  const stopped = errorCount(counts) > limitOf(run.maxErrors, run.targetCount, 0);
  const terminated = stopped && run.pendingCount > 0 ? await terminate(tx, run.id) : [];
  const isDone = run.pendingCount - terminated.length + run.inProgressCount === 0;
  const finished = isDone ? await finishRun(tx, run) : [];
  if (terminated.length === 0) return finished;
  return [
    ...finished,
    { kind: 'invocations', changed: terminated.map(toChanged) },
    { kind: 'audit-trail', deviceIds: terminated.map(({ deviceId }) => deviceId) },
  ];
}

async function terminate(tx: Transaction, runId: string): Promise<Transition[]> {
  const terminated = await terminatePending(tx, runId);
  await recordAudit(
    tx,
    terminated.map(({ id, deviceId }) => ({
      type: 'command.terminated',
      actor: systemActor,
      deviceId,
      runId,
      data: { invocationId: id, runId, statusDetails: 'Terminated', reason: 'max-errors' },
    })),
  );
  return terminated.map(({ id, deviceId, state }) => ({
    ...{ id, runId, deviceId },
    from: state,
    to: 'Cancelled',
    statusDetails: 'Terminated',
  }));
}

async function finishRun(tx: Transaction, run: SettledRun): Promise<Change[]> {
  const outcome = outcomeOf(await countDetails(tx, run.id), run.maxErrors);
  const hasEnded = await endRun(tx, { ...outcome, runId: run.id });
  if (!hasEnded) return [];
  // The end of a run on one device is the end of its command.
  if (run.targetCount > 1) await recordEnd(tx, run.id, outcome);
  return notifyRunEnded(tx, run.id);
}

const recordEnd = (tx: Transaction, runId: string, outcome: RunOutcome): Promise<void> =>
  recordAudit(tx, [
    {
      ...{ type: 'command.run-finished', actor: systemActor, runId },
      data: { runId, ...outcome },
    },
  ]);
