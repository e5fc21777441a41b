import { recordAudit, type AuditActorDraft } from '../../audit-trail/record-audit.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import {
  lockOpen,
  markCancelling,
  type OpenInvocation,
} from '../data/execution/open-invocation-queries.ts';
import { markRunCancelling } from '../data/runs/run-state-queries.ts';
import { endInvocations } from './end-invocations.ts';
import { settleRuns } from './settle-runs.ts';

export interface CancelRequest {
  /** All open invocations of a run, or these. The caller has checked permissions and scope. */
  readonly target: { readonly runId: string } | { readonly invocationIds: readonly string[] };
  readonly actor: AuditActorDraft;
  readonly requestId: string | null;
}

export interface CancelOutcome {
  /** Changes to publish after commit, from which the dispatcher learns which devices to notify. */
  readonly changes: Change[];
  readonly cancelled: number;
  readonly cancelling: number;
}

/**
 * Unsent invocations become Cancelled immediately. Running ones become Cancelling: the device is notified, and its
 * result decides, so an invocation can still succeed. Idempotent.
 */
export async function requestCancel(
  tx: Transaction,
  request: CancelRequest,
): Promise<CancelOutcome> {
  const open = await lockOpen(tx, request.target);
  const queued = open.filter(({ state }) => state === 'Pending' || state === 'Delayed');
  const running = open.filter(({ state }) => state === 'InProgress');
  await recordRequests(tx, [...queued, ...running], request);
  // Queued invocations first: settling the others can stop the run, which would also end the queued ones.
  const changes = await endInvocations(tx, queued, {
    statusDetails: 'Cancelled',
    audit: 'command.cancelled',
    actor: request.actor,
    requestId: request.requestId,
  });
  changes.push(...(await cancelRunning(tx, running)));
  if ('runId' in request.target) await markRunCancelling(tx, request.target.runId);
  if (running.length > 0)
    changes.push({ kind: 'cancel', invocationIds: running.map(({ id }) => id) });
  return { changes, cancelled: queued.length, cancelling: running.length };
}

async function recordRequests(
  tx: Transaction,
  open: readonly OpenInvocation[],
  { actor, requestId }: CancelRequest,
): Promise<void> {
  await recordAudit(
    tx,
    open.map((one) => ({
      type: 'command.cancel-requested',
      actor,
      requestId,
      deviceId: one.deviceId,
      runId: one.runId,
      data: { invocationId: one.id, runId: one.runId },
    })),
  );
}

async function cancelRunning(
  tx: Transaction,
  running: readonly OpenInvocation[],
): Promise<Change[]> {
  if (running.length === 0) return [];
  await markCancelling(
    tx,
    running.map(({ id }) => id),
  );
  return settleRuns(
    tx,
    running.map((one) => ({
      id: one.id,
      runId: one.runId,
      deviceId: one.deviceId,
      from: one.state,
      to: 'Cancelling',
      statusDetails: 'Cancelling',
    })),
  );
}
