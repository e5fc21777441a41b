import { sql } from 'drizzle-orm';
import { recordAuditForDevices } from '../../audit-trail/record-audit-for-devices.ts';
import { systemActor } from '../../audit-trail/record-audit.ts';
import type { Change } from '../../platform/change-feed.ts';
import {
  inTransaction,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import { freePlaces, limitOf } from './run-state-machine.ts';
import { settleRuns, stopIfTooManyErrors } from './settle-runs.ts';

const CLAIM_LIMIT = 1_000;

/** An invocation that is on its way to its device. */
export interface ClaimedInvocation {
  readonly id: string;
  readonly deviceId: string;
  readonly attempt: number;
  readonly deliverBefore: Date;
  readonly expiresAt: Date;
}

export interface DispatchedRun {
  readonly claimed: readonly ClaimedInvocation[];
  readonly changes: readonly Change[];
  /** There may be more to send at once. */
  readonly again: boolean;
}

type RunRow = Record<string, unknown> & {
  readonly state: string;
  readonly max_concurrency: string;
  readonly target_count: number;
  readonly pending_count: number;
  readonly in_progress_count: number;
  readonly ramp_limit: number;
  readonly max_errors: string;
  readonly failed_count: number;
  readonly timed_out_count: number;
};

const nothing: DispatchedRun = { claimed: [], changes: [], again: false };
const ATTEMPTS = 4;

/** The run took another turn between the look at it and its lock. */
class Overtaken extends Error {}

/**
 * Takes what a run may send now: to connected devices only, within its ramp and concurrency, up to 1,000 at once.
 * The run is locked last and only for a moment, since every result that comes in needs it, too; who finds the limit
 * reached by somebody else takes everything back. The rows are InProgress when this has committed.
 */
export async function dispatchRun(
  database: Pick<Database, 'orm'>,
  runId: string,
): Promise<DispatchedRun> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await inTransaction(database, (tx) => attemptDispatch(tx, runId));
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
    }
  }
  return { ...nothing, again: true };
}

async function attemptDispatch(tx: Transaction, runId: string): Promise<DispatchedRun> {
  const run = await findRun(tx, runId);
  if (!run || run.pending_count === 0) return nothing;
  const errors = run.failed_count + run.timed_out_count;
  if (errors > limitOf(run.max_errors, run.target_count, 0)) {
    const changes = await stopIfTooManyErrors(tx, runId);
    if (changes.length > 0) return { ...nothing, changes };
  }
  if (!['Pending', 'InProgress'].includes(run.state)) return nothing;
  const places = freePlaces({
    maxConcurrency: run.max_concurrency,
    targetCount: run.target_count,
    rampLimit: run.ramp_limit,
    inProgressCount: run.in_progress_count,
  });
  if (places === 0) return nothing;
  const claimed = await claim(tx, runId, Math.min(places, CLAIM_LIMIT));
  if (claimed.length === 0) return nothing;
  await recordSent(tx, runId, claimed);
  await requirePlaces(tx, runId, { claimed: claimed.length, errors });
  const changes = await settleRuns(
    tx,
    claimed.map(({ id, deviceId }) => ({
      id,
      runId,
      deviceId,
      from: 'Pending',
      to: 'InProgress',
      statusDetails: 'InProgress',
    })),
  );
  return { claimed, changes, again: claimed.length === CLAIM_LIMIT };
}

const columns = sql`state, max_concurrency, max_errors, target_count, pending_count, in_progress_count, ramp_limit,
  failed_count, timed_out_count`;

async function findRun(tx: Transaction, runId: string): Promise<RunRow | undefined> {
  const result = await tx.execute<RunRow>(
    sql`select ${columns} from command_run where id = ${runId} and ended_at is null`,
  );
  return result.rows[0];
}

/** @throws Overtaken when, under its lock, the run has no such places or more errors than were looked at */
async function requirePlaces(
  tx: Transaction,
  runId: string,
  taken: { readonly claimed: number; readonly errors: number },
): Promise<void> {
  const result = await tx.execute<RunRow>(
    sql`select ${columns} from command_run where id = ${runId} and ended_at is null for update`,
  );
  const run = result.rows[0];
  const isOpen = run !== undefined && ['Pending', 'InProgress'].includes(run.state);
  if (!isOpen || run.failed_count + run.timed_out_count > taken.errors) throw new Overtaken();
  const places = freePlaces({
    maxConcurrency: run.max_concurrency,
    targetCount: run.target_count,
    rampLimit: run.ramp_limit,
    inProgressCount: run.in_progress_count,
  });
  if (places < taken.claimed) throw new Overtaken();
}

/**
 * Walks the run's queue along its index and looks at each device by its key. Ordered by the whole of that index: by the
 * id alone the planner would walk the primary key, through every invocation there ever was.
 */
async function claim(tx: Transaction, runId: string, limit: number): Promise<ClaimedInvocation[]> {
  const free = await tx.execute<{
    id: string;
    device_id: string;
    instance_id: string | null;
    attempt: number;
    deliver_before: string;
    expires_at: string;
  }>(sql`
    select invocation.id, invocation.device_id, status.instance_id, attempt, deliver_before, expires_at
    from invocation, lateral (
      select instance_id from device_status
      where device_id = invocation.device_id and connectivity in ('online', 'degraded') and lifecycle = 'active'
      offset 0) as status
    where invocation.run_id = ${runId} and invocation.state = 'Pending' and invocation.deliver_before > now()
    order by invocation.run_id, invocation.state, invocation.id limit ${limit}
    for update of invocation skip locked`);
  if (free.rows.length === 0) return [];
  const ids = sql.param(free.rows.map(({ id }) => id));
  const instances = sql.param(free.rows.map(({ instance_id }) => instance_id));
  await tx.execute(sql`
    update invocation set state = 'InProgress', status_details = 'InProgress', sent_at = now(),
      instance_id = coalesce(free.instance_id, invocation.instance_id)
    from unnest(${ids}::uuid[], ${instances}::text[]) as free(id, instance_id)
    where invocation.id = free.id`);
  return free.rows.map((row) => ({
    id: row.id,
    deviceId: row.device_id,
    attempt: row.attempt,
    deliverBefore: new Date(row.deliver_before),
    expiresAt: new Date(row.expires_at),
  }));
}

async function recordSent(
  tx: Transaction,
  runId: string,
  claimed: readonly ClaimedInvocation[],
): Promise<void> {
  await recordAuditForDevices(tx, {
    type: 'command.sent',
    actor: systemActor,
    runId,
    at: new Date(),
    data: { runId },
    devices: claimed.map(({ id, deviceId }) => ({ deviceId, invocationId: id })),
  });
}
