import type { SQL } from 'drizzle-orm';
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
  const shared = {
    ...{ type, actorKind: actor.kind, actorId: actor.id, actorName, actorAddress },
    ...{ caseId: caseOf(event), requestId: event.requestId ?? null, runId: event.runId ?? null },
    data,
  };
  await insertEventsForDevices(tx, shared, event.devices);
  await bindActions(tx, boundActOf({ ...event, deviceId: event.onlyDeviceId ?? null }));
}
