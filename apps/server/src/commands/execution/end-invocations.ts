import { sql } from 'drizzle-orm';
import { recordAudit, type AuditActorDraft } from '../../audit-trail/record-audit.ts';
import type { AuditType } from '@deviceportal/contract/audit-trail';
import type { StatusDetails } from '@deviceportal/contract/states';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { settleRuns, type Transition } from './settle-runs.ts';
import { stateOfDetails } from './run-state-machine.ts';

/** An open invocation that the caller has locked. */
export interface OpenInvocation {
  readonly id: string;
  readonly run_id: string;
  readonly device_id: string;
  readonly state: Transition['from'];
}

export interface End {
  readonly statusDetails: StatusDetails;
  readonly audit: AuditType;
  readonly actor: AuditActorDraft;
  readonly requestId?: string | null;
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * Ends invocations from the server's side: rows, counters, runs and audit trail in the caller's transaction.
 * Returns what to publish after its commit.
 */
export async function endInvocations(
  tx: Transaction,
  locked: readonly OpenInvocation[],
  end: End,
): Promise<Change[]> {
  if (locked.length === 0) return [];
  const state = stateOfDetails(end.statusDetails);
  const ids = JSON.stringify(locked.map(({ id }) => id));
  await tx.execute(sql`
    update invocation set state = ${state}, status_details = ${end.statusDetails}, ended_at = portal_now()
    where id in (select value::uuid from jsonb_array_elements_text(${ids}::jsonb)) and ended_at is null`);
  await recordAudit(
    tx,
    locked.map((invocation) => ({
      type: end.audit,
      actor: end.actor,
      deviceId: invocation.device_id,
      runId: invocation.run_id,
      requestId: end.requestId ?? null,
      data: {
        invocationId: invocation.id,
        runId: invocation.run_id,
        statusDetails: end.statusDetails,
        ...end.data,
      },
    })),
  );
  const transitions = locked.map((invocation): Transition => ({
    id: invocation.id,
    runId: invocation.run_id,
    deviceId: invocation.device_id,
    from: invocation.state,
    to: state,
    statusDetails: end.statusDetails,
  }));
  return [
    ...(await settleRuns(tx, transitions)),
    { kind: 'audit-trail', deviceIds: [...new Set(locked.map((one) => one.device_id))] },
  ];
}
