import { occurredAt, type AuditEvent } from '@deviceportal/contract/audit-trail';
import type { DeviceRow } from '@deviceportal/contract/devices';
import type { ReportEvent } from '@deviceportal/contract/user-report-document';
import { readEvents } from '../../audit-trail/read-events.ts';
import { deviceName } from './read-devices.ts';
import { mayRead, type ReportCreation } from './report-creation.ts';

const LIMIT = 100_000;
/** The part of the audit trail in the database. */
const JOURNAL_GAP = 'device.journal-gap';

/** All events of the devices and the sign-ins of the person, newest first. */
export async function readTimeline(
  creation: ReportCreation,
  devices: readonly DeviceRow[],
  userId: string | null,
): Promise<ReportEvent[]> {
  const { deps, viewer, report, gaps, sources } = creation;
  // Connectivity is derived from the same events.
  const part = report.parts.includes('timeline') ? 'timeline' : 'connectivity';
  if (!mayRead(creation, part, 'audit-trail:read')) return [];
  const period = { from: report.from, to: report.to };
  const events: ReportEvent[] = [];
  for (const device of devices) {
    const limit = LIMIT - events.length;
    if (limit <= 0) break;
    const found = await readEvents(deps, viewer, { deviceId: device.id, ...period, limit });
    for (const event of found) events.push(eventOf(event, deviceName(device)));
  }
  if (userId !== null) {
    const wanted = { deviceId: null, actorId: userId, types: ['access.*'], limit: 1_000 };
    const own = await readEvents(deps, viewer, { ...wanted, ...period });
    for (const event of own) events.push(eventOf(event, null));
  }
  if (events.length >= LIMIT) {
    gaps.push({ code: 'too-many', facts: { what: 'events', limit: LIMIT } });
  }
  const lost = new Set(events.filter(({ type }) => type === JOURNAL_GAP).map((one) => one.device));
  for (const device of lost) gaps.push({ code: 'journal-gap', facts: { device: device ?? '-' } });
  sources.push({ name: 'audit_event', rows: events.length });
  return events.toSorted((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
}

function eventOf(event: AuditEvent, device: string | null): ReportEvent {
  return {
    id: event.id,
    at: occurredAt(event),
    type: event.type,
    deviceId: event.deviceId,
    device,
    actor: event.actor.name,
    actorKind: event.actor.kind,
    data: event.data,
  };
}
