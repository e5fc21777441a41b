import { recordAudit, type AuditActorDraft } from '../../audit-trail/record-audit.ts';
import type { AuditType } from '@deviceportal/contract/audit-trail';
import type { StatusDetails } from '@deviceportal/contract/states';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { markEnded, type OpenInvocation } from '../data/execution/open-invocation-queries.ts';
import { settleRuns, type Transition } from './settle-runs.ts';
import { stateOfDetails } from './run-state-machine.ts';

export interface End {
  readonly statusDetails: StatusDetails;
  readonly audit: AuditType;
  readonly actor: AuditActorDraft;
  readonly requestId?: string | null;
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * Ends invocations from the server's side: rows, counters, runs, and audit trail, in the caller's transaction. Returns
 * the changes to publish after commit.
 */
export async function endInvocations(
  tx: Transaction,
  locked: readonly OpenInvocation[],
  end: End,
): Promise<Change[]> {
  if (locked.length === 0) return [];
  const state = stateOfDetails(end.statusDetails);
  await markEnded(
    tx,
    locked.map(({ id }) => id),
    { state, statusDetails: end.statusDetails },
  );
  await recordAudit(
    tx,
    locked.map((invocation) => ({
      type: end.audit,
      actor: end.actor,
      deviceId: invocation.deviceId,
      runId: invocation.runId,
      requestId: end.requestId ?? null,
      data: {
        invocationId: invocation.id,
        runId: invocation.runId,
        statusDetails: end.statusDetails,
        ...end.data,
      },
    })),
  );
  const transitions = locked.map((invocation): Transition => ({
    id: invocation.id,
    runId: invocation.runId,
    deviceId: invocation.deviceId,
    from: invocation.state,
    to: state,
    statusDetails: end.statusDetails,
  }));
  return [
    ...(await settleRuns(tx, transitions)),
    { kind: 'audit-trail', deviceIds: [...new Set(locked.map((one) => one.deviceId))] },
  ];
}
