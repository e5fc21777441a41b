import { sql } from 'drizzle-orm';
import type { AuditActor } from '@deviceportal/contract/audit-trail';
import type { Executor } from '../platform/database/database.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import type { DeviceEvent } from './walk-back.ts';

interface EventRow extends Record<string, unknown> {
  readonly at: string;
  readonly type: string;
  readonly actor_kind: AuditActor['kind'];
  readonly actor_id: string | null;
  readonly actor_name: string;
  readonly data: Record<string, unknown>;
}

/** What changed the record of a device. */
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
/** People and devices change a record now and then; a device that does so all the time is shown as far as this. */
const CHANGES = 2_000;

const columns = sql`at, type, actor_kind, actor_id, actor_name, data`;

/** Changes of the record after a moment, newest first. */
export async function selectRecordChanges(
  on: Executor,
  deviceId: string,
  after: Date,
): Promise<DeviceEvent[]> {
  const { rows } = await on.execute<EventRow>(sql`
    select ${columns} from audit_event
    where device_id = ${deviceId} and at > ${after.toISOString()}::timestamptz and type = any(${sql.param(recordTypes)}::text[])
    order by at desc, id desc limit ${CHANGES}`);
  return rows.map(toEvent);
}

/** How the connection stood at a moment, or how it changed last after it. */
export async function selectConnectionEvent(
  on: Executor,
  deviceId: string,
  { at, side }: { readonly at: Date; readonly side: 'until' | 'after' },
): Promise<DeviceEvent | null> {
  const within = side === 'until' ? sql`at <= ${at.toISOString()}` : sql`at > ${at.toISOString()}`;
  const { rows } = await on.execute<EventRow>(sql`
    select ${columns} from audit_event
    where device_id = ${deviceId} and ${within} and type = any(${sql.param(connectionTypes)}::text[])
    order by at desc, id desc limit 1`);
  return rows[0] === undefined ? null : toEvent(rows[0]);
}

const toEvent = (row: EventRow): DeviceEvent => ({
  at: isoOf(row.at),
  type: row.type,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  data: row.data,
});
