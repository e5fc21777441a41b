import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import type { CsvColumns } from '../../platform/csv.ts';

/** The columns of an exported audit trail. Times are UTC, ISO 8601. */
export const auditColumns: CsvColumns<AuditEvent> = [
  ['time_utc', (event) => event.at],
  ['event', (event) => event.type],
  ['device_id', (event) => event.deviceId],
  ['device', (event) => event.deviceName],
  ['serial_number', (event) => event.serialNumber],
  ['actor_kind', (event) => event.actor.kind],
  ['actor_id', (event) => event.actor.id],
  ['actor', (event) => event.actor.name],
  ['actor_address', (event) => event.actor.address],
  ['request_id', (event) => event.requestId],
  ['event_id', (event) => event.id],
  ['data', (event) => JSON.stringify(event.data)],
];
