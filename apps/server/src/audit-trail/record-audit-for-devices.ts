import { sql, type SQL } from 'drizzle-orm';
import { bindActs } from '../cases/bind-acts.ts';
import type { Transaction } from '../platform/database/database.ts';
import { arrayOf } from '../platform/database/rows-of.ts';
import { boundActOf, caseOf, type AuditDraft } from './record-audit.ts';
import { sealPersonalFields } from './seal-personal-fields.ts';

export interface AuditForDevices extends Omit<AuditDraft, 'deviceId'> {
  readonly at: Date;
  /** The device, where it is only one: a case keeps one entry for all of them. */
  readonly onlyDeviceId?: string | null;
  /**
   * A query of `device_id` and `own`, an object that is added to the data: devices by the hundred thousand need not come
   * to Node.
   */
  readonly devices: SQL;
}

/** What has come to Node anyway, for `recordAuditForDevices`. */
export const auditedDevices = (
  devices: readonly { readonly deviceId: string; readonly invocationId: string }[],
): SQL => sql`
  select device_id, jsonb_build_object('invocationId', invocation_id) as own from unnest(
    ${arrayOf(
      'uuid',
      devices.map(({ deviceId }) => deviceId),
    )},
    ${arrayOf(
      'uuid',
      devices.map(({ invocationId }) => invocationId),
    )}) as given(device_id, invocation_id)`;

/**
 * The same event for many devices, each with something of its own in the data: one statement, and the data travels once. Write it in the transaction of the change.
 */
export async function recordAuditForDevices(
  tx: Transaction,
  event: AuditForDevices,
): Promise<void> {
  const { actor } = event;
  const [{ actorName, actorAddress, data }] = await sealPersonalFields(tx, [event]);
  await tx.execute(sql`
    insert into audit_event (id, device_id, type, actor_kind, actor_id, actor_name, actor_address,
                             case_id, request_id, run_id, data)
    select audit_event_id((select audit_id_begin()), position), device_id,
           ${event.type}::text, ${actor.kind}::text, ${actor.id}::text, ${actorName}::text, ${actorAddress}::text,
           ${caseOf(event)}::uuid, ${event.requestId ?? null}::text, ${event.runId ?? null}::uuid,
           ${JSON.stringify(data)}::jsonb || own
    from (select *, row_number() over () as position from (${event.devices}) as devices) as numbered`);
  await bindActs(tx, boundActOf({ ...event, deviceId: event.onlyDeviceId ?? null }));
}
