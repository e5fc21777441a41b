import { auditedDevices } from '../../audit-trail/data/audited-devices.ts';
import { recordAuditForDevices } from '../../audit-trail/record-audit-for-devices.ts';
import { systemActor } from '../../audit-trail/record-audit.ts';
import type { Change } from '../../platform/change-feed.ts';
import {
  inTransaction,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import type { ClaimedInvocation } from '../data/execution/claim-queries.ts';
import type { OpenInvocation } from '../data/execution/open-invocation-queries.ts';
import { findRunToDispatch, lockRunToDispatch } from '../data/execution/dispatch-queries.ts';
import { findOutdatedAgents } from '../data/execution/find-outdated-agents.ts';
import { findUnpermitted } from '../data/execution/find-unpermitted.ts';
import {
  claimInvocations,
  QUEUE_END,
  QUEUE_START,
  type QueuePosition,
} from './claim-invocations.ts';
import { denyInvocations } from './deny-invocations.ts';
import { refuseOutdatedAgents } from './refuse-outdated-agents.ts';
import { freePlaces, limitOf } from './run-state-machine.ts';
import { settleRuns, stopIfTooManyErrors } from './settle-runs.ts';

const CLAIM_LIMIT = 1_000;

export interface DispatchedRun {
  readonly claimed: readonly ClaimedInvocation[];
  readonly changes: readonly Change[];
  /** Whether there can be more to send immediately. */
  readonly again: boolean;
  /** Where the next search of the queue starts; null if the queue was not searched. */
  readonly position: QueuePosition | null;
}

const nothing: DispatchedRun = { claimed: [], changes: [], again: false, position: null };
const ATTEMPTS = 4;

/** The run has changed between reading and locking it. */
class StaleRun extends Error {}

/**
 * Claims the invocations of a run that can be sent now: to connected devices only, within ramp and concurrency, up to
 * 1,000. Invocations that the creator of the run is no longer permitted to send end as Access Denied, and those that an
 * agent is too old for end as Undeliverable. The run is locked
 * last and briefly, because every result needs the lock, too. If another server has reached the limit, everything is
 * rolled back. The rows are InProgress after commit.
 */
export async function dispatchRun(
  database: Pick<Database, 'orm'>,
  runId: string,
  position: QueuePosition = QUEUE_START,
): Promise<DispatchedRun> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await inTransaction(database, (tx) => attemptDispatch(tx, runId, position));
    } catch (error) {
      if (!(error instanceof StaleRun)) throw error;
    }
  }
  return { ...nothing, again: true };
}

async function attemptDispatch(
  tx: Transaction,
  runId: string,
  from: QueuePosition,
): Promise<DispatchedRun> {
  const run = await findRunToDispatch(tx, runId);
  if (!run || run.pendingCount === 0) return nothing;
  const errors = run.failedCount + run.timedOutCount;
  if (errors > limitOf(run.maxErrors, run.targetCount, 0)) {
    const changes = await stopIfTooManyErrors(tx, runId);
    if (changes.length > 0) return { ...nothing, changes };
  }
  if (!['Pending', 'InProgress'].includes(run.state)) return nothing;
  const places = freePlaces(run);
  if (places === 0) return nothing;
  if (from.after === QUEUE_END && from.late.length === 0) return nothing;
  const limit = Math.min(places, CLAIM_LIMIT);
  const { claimed: taken, position } = await claimInvocations(tx, runId, { limit, position: from });
  if (taken.length === 0) return { ...nothing, position };
  const denied = await findUnpermitted(
    tx,
    runId,
    taken.map(({ id }) => id),
  );
  const permitted = without(taken, denied);
  const outdated = await findOutdated(tx, run.protocol, permitted);
  const claimed = without(permitted, outdated);
  if (claimed.length > 0) await recordSent(tx, runId, claimed);
  await requirePlaces(tx, runId, { claimed: taken.length, errors });
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
  // Last, because these failures can stop the run.
  changes.push(...(await denyInvocations(tx, runId, denied)));
  changes.push(...(await refuseOutdatedAgents(tx, outdated)));
  const again = taken.length === CLAIM_LIMIT || claimed.length < taken.length;
  return { claimed, changes, again, position };
}

function without<One extends { readonly id: string }>(
  all: readonly One[],
  others: readonly { readonly id: string }[],
): One[] {
  const left = new Set(others.map(({ id }) => id));
  return all.filter(({ id }) => !left.has(id));
}

async function findOutdated(
  tx: Transaction,
  protocol: number,
  claimed: readonly ClaimedInvocation[],
): Promise<OpenInvocation[]> {
  if (protocol === 1 || claimed.length === 0) return [];
  return findOutdatedAgents(
    tx,
    claimed.map(({ id }) => id),
    protocol,
  );
}

/** @throws StaleRun if the locked run has fewer free places or more errors than were read */
async function requirePlaces(
  tx: Transaction,
  runId: string,
  taken: { readonly claimed: number; readonly errors: number },
): Promise<void> {
  const run = await lockRunToDispatch(tx, runId);
  const isOpen = run !== undefined && ['Pending', 'InProgress'].includes(run.state);
  if (!isOpen || run.failedCount + run.timedOutCount > taken.errors) throw new StaleRun();
  const places = freePlaces(run);
  if (places < taken.claimed) throw new StaleRun();
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
    devices: auditedDevices(claimed.map(({ id, deviceId }) => ({ deviceId, invocationId: id }))),
  });
}
