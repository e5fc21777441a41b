import { sql } from 'drizzle-orm';
import { recordAudit, type AuditActorDraft } from '../../audit-trail/record-audit.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { endInvocations, type OpenInvocation } from './end-invocations.ts';
import { settleRuns } from './settle-runs.ts';

export interface CancelRequest {
  /** All open invocations of a run, or these. The caller has checked rights and scope. */
  readonly target: { readonly runId: string } | { readonly invocationIds: readonly string[] };
  readonly actor: AuditActorDraft;
  readonly requestId: string | null;
}

export interface CancelOutcome {
  /** To publish after commit; tells the dispatcher which devices to ask. */
  readonly changes: Change[];
  readonly cancelled: number;
  readonly cancelling: number;
}

/**
 * What was not sent is Cancelled at once. What runs becomes Cancelling: the device is asked, and its own result
 * decides, so a success that was faster stays a success. Asking twice changes nothing.
 */
export async function requestCancel(
  tx: Transaction,
  request: CancelRequest,
): Promise<CancelOutcome> {
  const open = await lockOpen(tx, request.target);
  const queued = open.filter(({ state }) => state === 'Pending' || state === 'Delayed');
  const running = open.filter(({ state }) => state === 'InProgress');
  await recordRequests(tx, [...queued, ...running], request);
  // The queued ones first: settling the others may stop the run, and would then end what is still queued.
  const changes = await endInvocations(tx, queued, {
    statusDetails: 'Cancelled',
    audit: 'command.cancelled',
    actor: request.actor,
    requestId: request.requestId,
  });
  changes.push(...(await markCancelling(tx, running)));
  if ('runId' in request.target) await markRun(tx, request.target.runId);
  if (running.length > 0)
    changes.push({ kind: 'cancel', invocationIds: running.map(({ id }) => id) });
  return { changes, cancelled: queued.length, cancelling: running.length };
}

async function lockOpen(
  tx: Transaction,
  target: CancelRequest['target'],
): Promise<OpenInvocation[]> {
  const which =
    'runId' in target
      ? sql`run_id = ${target.runId}`
      : sql`id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(target.invocationIds)}::jsonb))`;
  const result = await tx.execute<OpenInvocation & Record<string, unknown>>(sql`
    select id, run_id, device_id, state from invocation
    where ${which} and ended_at is null order by id for update`);
  return result.rows;
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
      deviceId: one.device_id,
      runId: one.run_id,
      data: { invocationId: one.id, runId: one.run_id },
    })),
  );
}

async function markCancelling(
  tx: Transaction,
  running: readonly OpenInvocation[],
): Promise<Change[]> {
  if (running.length === 0) return [];
  const ids = JSON.stringify(running.map(({ id }) => id));
  await tx.execute(sql`
    update invocation set state = 'Cancelling', status_details = 'Cancelling', cancel_requested_at = portal_now()
    where id in (select value::uuid from jsonb_array_elements_text(${ids}::jsonb))`);
  return settleRuns(
    tx,
    running.map((one) => ({
      id: one.id,
      runId: one.run_id,
      deviceId: one.device_id,
      from: one.state,
      to: 'Cancelling',
      statusDetails: 'Cancelling',
    })),
  );
}

async function markRun(tx: Transaction, runId: string): Promise<void> {
  await tx.execute(sql`
    update command_run set state = 'Cancelling', status_details = 'Cancelling'
    where id = ${runId} and ended_at is null`);
}
