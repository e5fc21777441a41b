import { and, desc, eq, gt, lte } from 'drizzle-orm';
import { auditEvents } from '../../audit-trail/data/audit-events.ts';
import { openNames } from '../../audit-trail/open-personal-fields.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import type { DeviceEvent } from '../revert-changes.ts';

/** Types of audit events that change the record of a device. */
const recordTypes = [
  'device.updated',
  'device.labels-changed',
  'device.inventory-changed',
  'device.suspended',
  'device.resumed',
  'device.retired',
  'device.enrolled',
];
const connectionTypes = [
  'device.connected',
  'device.disconnected',
  'device.degraded',
  'device.recovered',
];
/** Limit of the changes that are read for one device. Most devices have a few. */
const CHANGES = 2_000;

const readEvents = (on: Executor) =>
  on
    .select({
      at: auditEvents.at,
      type: auditEvents.type,
      actor: {
        kind: auditEvents.actorKind,
        id: auditEvents.actorId,
        name: auditEvents.actorName,
      },
      data: auditEvents.data,
    })
    .from(auditEvents);

const newestFirst = [desc(auditEvents.at), desc(auditEvents.eventId)] as const;

/** Changes of the record after a moment, newest first. */
export async function selectRecordChanges(
  on: Executor,
  deviceId: string,
  after: Date,
): Promise<DeviceEvent[]> {
  const rows = await readEvents(on)
    .where(
      and(
        eq(auditEvents.deviceId, deviceId),
        gt(auditEvents.at, after),
        isAnyOf(auditEvents.type, recordTypes),
      ),
    )
    .orderBy(...newestFirst)
    .limit(CHANGES);
  return toEvents(on, rows);
}

/** The most recent connection event until a moment, or after it. */
export async function selectConnectionEvent(
  on: Executor,
  deviceId: string,
  { at, side }: { readonly at: Date; readonly side: 'until' | 'after' },
): Promise<DeviceEvent | null> {
  const [row] = await readEvents(on)
    .where(
      and(
        eq(auditEvents.deviceId, deviceId),
        side === 'until' ? lte(auditEvents.at, at) : gt(auditEvents.at, at),
        isAnyOf(auditEvents.type, connectionTypes),
      ),
    )
    .orderBy(...newestFirst)
    .limit(1);
  if (row === undefined) return null;
  const [event] = await toEvents(on, [row]);
  return event ?? null;
}

type EventRow = Awaited<ReturnType<typeof readEvents>>[number];

async function toEvents(on: Executor, rows: readonly EventRow[]): Promise<DeviceEvent[]> {
  const textOf = ({ kind, id, name }: EventRow['actor']) => ({
    text: name,
    userId: kind === 'user' ? id : null,
  });
  const shown = await openNames(
    on,
    rows.map(({ actor }) => textOf(actor)),
  );
  return rows.map(({ at, actor, ...row }) => ({
    ...row,
    at: at.toISOString(),
    actor: { ...actor, name: shown(textOf(actor)) },
  }));
}
