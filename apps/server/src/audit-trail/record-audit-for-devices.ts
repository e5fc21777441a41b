import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { bindActions } from '../cases/bind-actions.ts';
import type { Transaction } from '../platform/database/database.ts';
import { insertEventsForDevices } from './data/insert-events.ts';
import { boundActOf, caseOf, type AuditDraft } from './record-audit.ts';
import { sealPersonalFields } from './seal-personal-fields.ts';

export interface AuditForDevices extends Omit<AuditDraft, 'deviceId'> {
  readonly at: Date;
  /** The device if there is only one: the case gets one entry for all devices. */
  readonly onlyDeviceId?: string | null;
  /**
   * A query of `device_id` and `own`, an object that is added to the data: hundreds of thousands of devices need not be
   * read into memory.
   */
  readonly devices: SQL;
}

/**
 * Records the same event for many devices, each with its own part of the data, in one statement. Call it in the
 * transaction of the change.
 */
export async function recordAuditForDevices(
  tx: Transaction,
  event: AuditForDevices,
): Promise<void> {
  const { type, actor } = event;
  const [{ actorName, actorAddress, data }] = await sealPersonalFields(tx, [event]);
  await tx.execute(sql`
    insert into audit_event (id, device_id, type, actor_kind, actor_id, actor_name, actor_address,
                             case_id, request_id, run_id, data)
    select audit_event_id((select audit_id_begin()), position), device_id,
           ${event.type}::text, ${actor.kind}::text, ${actor.id}::text, ${actorName}::text, ${actorAddress}::text,
           ${caseOf(event)}::uuid, ${event.requestId ?? null}::text, ${event.runId ?? null}::uuid,
           ${JSON.stringify(data)}::jsonb || own
    from (select *, row_number() over () as position from (${event.devices}) as devices) as numbered`);
  await bindActions(tx, boundActOf({ ...event, deviceId: event.onlyDeviceId ?? null }));
}
