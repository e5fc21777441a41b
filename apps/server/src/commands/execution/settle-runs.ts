import { sql } from 'drizzle-orm';
import type { InvocationState, StatusDetails } from '@deviceportal/contract/states';
import { isFinal } from '@deviceportal/contract/states';
import { recordAudit, systemActor } from '../../audit-trail/record-audit.ts';
import { notifyQueuedRan } from '../../notifications/notify-queued-ran.ts';
import { notifyRunEnded } from '../../notifications/notify-run-ended.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { keepOutcome } from './keep-outcome.ts';
import {
  counterOf,
  errorCount,
  limitOf,
  outcomeOf,
  type Counter,
  type DetailsCount,
} from './run-state-machine.ts';

/** One invocation's change of state. */
export interface Transition {
  readonly id: string;
  readonly runId: string;
  readonly deviceId: string;
  readonly from: InvocationState;
  readonly to: InvocationState;
  readonly statusDetails: StatusDetails;
}

type RunRow = Record<string, unknown> & {
  readonly id: string;
  readonly state: string;
  readonly max_errors: string;
  readonly target_count: number;
  readonly pending_count: number;
  readonly in_progress_count: number;
  readonly failed_count: number;
  readonly timed_out_count: number;
  /** Made a while ago, on more than one device. */
  readonly is_late?: boolean;
};

interface RunDelta {
  readonly id: string;
  readonly ended: number;
  readonly counters: Record<Counter, number>;
}

/**
 * The runs' side of invocations that changed state, in the same transaction: counters, the ramp, the stop after
 * too many errors, the run's own end. Locks runs in the order of their ids, always after invocations.
 * Returns what to publish after commit.
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
    // The sum is never less than the errors among it: most runs need no look at their rows.
    if (run.failed_count + run.timed_out_count > limitOf(run.max_errors, run.target_count, 0))
      changes.push(...(await stopAfterErrors(tx, run)));
    else if (run.pending_count + run.in_progress_count === 0)
      changes.push(...(await finishRun(tx, run)));
  }
  // What ends soon after it was sent did not wait for its device.
  const late = new Set(runs.filter(({ is_late }) => is_late).map(({ id }) => id));
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
  return [...byRun].map(([id, sum]) => ({ id, ...sum }));
}

const noCounters = (): Record<Counter, number> => ({
  pending: 0,
  inProgress: 0,
  success: 0,
  failed: 0,
  timedOut: 0,
  cancelled: 0,
});

async function addToCounters(tx: Transaction, deltas: readonly RunDelta[]): Promise<RunRow[]> {
  const rows = JSON.stringify(
    deltas.map(({ id, ended, counters }) => ({ id, ended, ...counters })),
  );
  const ids = JSON.stringify(deltas.map(({ id }) => id));
  if (deltas.length > 1) {
    await tx.execute(sql`
      select 1 from command_run
      where id in (select value::uuid from jsonb_array_elements_text(${ids}::jsonb)) order by id for update`);
  }
  const result = await tx.execute<RunRow>(sql`
    update command_run as run set
      pending_count = pending_count + delta.pending,
      in_progress_count = in_progress_count + delta."inProgress",
      success_count = success_count + delta.success,
      failed_count = failed_count + delta.failed,
      timed_out_count = timed_out_count + delta."timedOut",
      cancelled_count = cancelled_count + delta.cancelled,
      ramp_limit = least(greatest(target_count, 1), ramp_limit + delta.ended),
      state = case when state = 'Pending' and delta.pending < 0 then 'InProgress' else state end,
      status_details = case when state = 'Pending' and delta.pending < 0 then 'InProgress' else status_details end
    from jsonb_to_recordset(${rows}::jsonb) as delta(
      id uuid, ended integer, pending integer, "inProgress" integer, success integer, failed integer,
      "timedOut" integer, cancelled integer)
    where run.id = delta.id
    returning run.id, run.state, run.max_errors, run.target_count, run.pending_count, run.in_progress_count,
      run.failed_count, run.timed_out_count,
      run.target_count > 1 and run.created_at < portal_now() - interval '1 minute' as is_late`);
  return result.rows;
}

async function countDetails(tx: Transaction, runId: string): Promise<DetailsCount> {
  const result = await tx.execute<{ details: StatusDetails; count: number }>(sql`
    select status_details as details, count(*)::int as count from invocation where run_id = ${runId} group by 1`);
  return Object.fromEntries(result.rows.map(({ details, count }) => [details, count]));
}

/**
 * Looks again whether a run has too many errors: what was just being sent while it was stopped, and was taken back,
 * ends here. Nothing to publish means that it may go on.
 */
export async function stopIfTooManyErrors(tx: Transaction, runId: string): Promise<Change[]> {
  const result = await tx.execute<RunRow>(sql`
    select id, state, max_errors, target_count, pending_count, in_progress_count, failed_count, timed_out_count
    from command_run where id = ${runId} and ended_at is null for update`);
  const run = result.rows[0];
  return run ? stopAfterErrors(tx, run) : [];
}

/** Too many errors: what has not been sent ends as Terminated, what is running goes on to its end. */
async function stopAfterErrors(tx: Transaction, run: RunRow): Promise<Change[]> {
  const counts = await countDetails(tx, run.id);
  const stopped = errorCount(counts) > limitOf(run.max_errors, run.target_count, 0);
  const terminated = stopped && run.pending_count > 0 ? await terminatePending(tx, run.id) : [];
  const isDone = run.pending_count - terminated.length + run.in_progress_count === 0;
  const finished = isDone ? await finishRun(tx, run) : [];
  if (terminated.length === 0) return finished;
  return [
    ...finished,
    { kind: 'invocations', changed: terminated.map(toChanged) },
    { kind: 'audit-trail', deviceIds: terminated.map(({ deviceId }) => deviceId) },
  ];
}

/** The caller holds the run's lock, without which nothing becomes InProgress: what is Pending stays so. */
async function terminatePending(tx: Transaction, runId: string): Promise<Transition[]> {
  const result = await tx.execute<{ id: string; device_id: string; state: InvocationState }>(sql`
    with open as (
      select id, state from invocation
      where run_id = ${runId} and state in ('Pending', 'Delayed') for update skip locked)
    update invocation set state = 'Cancelled', status_details = 'Terminated', ended_at = portal_now()
    from open where invocation.id = open.id
    returning invocation.id, invocation.device_id, open.state`);
  const count = result.rows.length;
  if (count === 0) return [];
  await tx.execute(sql`
    update command_run set pending_count = pending_count - ${count}, cancelled_count = cancelled_count + ${count}
    where id = ${runId}`);
  await recordAudit(
    tx,
    result.rows.map((row) => ({
      type: 'command.terminated',
      actor: systemActor,
      deviceId: row.device_id,
      runId,
      data: { invocationId: row.id, runId, statusDetails: 'Terminated', reason: 'max-errors' },
    })),
  );
  return result.rows.map((row) => ({
    id: row.id,
    runId,
    deviceId: row.device_id,
    from: row.state,
    to: 'Cancelled',
    statusDetails: 'Terminated',
  }));
}

async function finishRun(tx: Transaction, run: RunRow): Promise<Change[]> {
  const outcome = outcomeOf(await countDetails(tx, run.id), run.max_errors);
  const { rowCount } = await tx.execute(sql`
    with ended as (
      update command_run set state = ${outcome.state}, status_details = ${outcome.statusDetails}, ended_at = portal_now()
      where id = ${run.id} and ended_at is null and pending_count = 0 and in_progress_count = 0 returning *),
    counted as (${keepOutcome(sql`ended`)})
    select from ended`);
  return rowCount === 1 ? notifyRunEnded(tx, run.id) : [];
}
