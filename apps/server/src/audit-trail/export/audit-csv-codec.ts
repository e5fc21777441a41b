import type { AuditEvent } from '@deviceportal/contract/audit-trail';

const header = [
  'time_utc',
  'event',
  'device_id',
  'device',
  'serial_number',
  'actor_kind',
  'actor_id',
  'actor',
  'actor_address',
  'request_id',
  'event_id',
  'data',
];

export function auditCsvHeader(): string {
  return `${header.join(',')}\r\n`;
}

/** One line after RFC 4180. Times are UTC, ISO 8601. */
export function auditCsvLine(event: AuditEvent): string {
  const cells = [
    event.at,
    event.type,
    event.deviceId,
    event.deviceName,
    event.serialNumber,
    event.actor.kind,
    event.actor.id,
    event.actor.name,
    event.actor.address,
    event.requestId,
    event.id,
    JSON.stringify(event.data),
  ];
  return `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`;
}

/** A text that a spreadsheet would take for a formula gets an apostrophe. */
export function withoutFormula(value: string): string {
  return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}

export function csvCell(value: string): string {
  const safe = withoutFormula(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
