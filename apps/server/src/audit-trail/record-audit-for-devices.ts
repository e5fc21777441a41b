import { sql } from 'drizzle-orm';
import { newId } from '@deviceportal/contract/ids';
import type { Transaction } from '../platform/database/database.ts';
import type { AuditDraft } from './record-audit.ts';

export interface AuditForDevices extends Omit<AuditDraft, 'deviceId'> {
  readonly at: Date;
  readonly devices: readonly { readonly deviceId: string; readonly invocationId: string }[];
}

/**
 * The same event for many devices, each with its own `invocationId` in the data: one statement, and the data travels
 * once. Write it in the transaction of the change.
 */
export async function recordAuditForDevices(
  tx: Transaction,
  event: AuditForDevices,
): Promise<void> {
  const { actor, devices } = event;
  const atMs = event.at.getTime();
  await tx.execute(sql`
    insert into audit_event (id, at, device_id, type, actor_kind, actor_id, actor_name, actor_address,
                             case_id, request_id, run_id, data)
    select n.id, ${event.at.toISOString()}::timestamptz, n.device_id, ${event.type}::text, ${actor.kind}::text,
           ${actor.id}::text, ${actor.name}::text, ${actor.address}::text, ${event.caseId ?? null}::uuid,
           ${event.requestId ?? null}::text, ${event.runId ?? null}::uuid,
           ${JSON.stringify(event.data ?? {})}::jsonb || jsonb_build_object('invocationId', n.invocation_id)
    from unnest(${sql.param(devices.map(() => newId(atMs)))}::uuid[],
                ${sql.param(devices.map(({ deviceId }) => deviceId))}::uuid[],
                ${sql.param(devices.map(({ invocationId }) => invocationId))}::uuid[])
         as n(id, device_id, invocation_id)`);
}
