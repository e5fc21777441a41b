import { randomBytes } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';
import { columnNames } from '../../platform/database/column-names.ts';
import { insertColumns } from '../../platform/database/insert-columns.ts';
import { rendered } from '../../platform/database/rendered.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { auditEvent } from './audit-trail-tables.ts';

const sharedKeys = [
  ...(['type', 'actorKind', 'actorId', 'actorName', 'actorAddress'] as const),
  ...(['caseId', 'requestId', 'runId'] as const),
] as const;
const inserted = insertColumns(auditEvent, ['deviceId', ...sharedKeys, 'data']);
const types = { position: 'bigint', ...inserted.types } as const;
const columns = rendered(sql`${columnNames(auditEvent.id)}, ${inserted.names}`);
const values = rendered(inserted.values);

/**
 * IDs of the rows of a statement, as `audit_event_id` of the database creates them, but with the same random bits for all
 * rows. So each row costs one addition, and rows of different statements still differ: in the moment or in these bits.
 */
const newIds = (): SQL => {
  const random = randomBytes(4).readUInt32BE();
  return sql`((select left(audit_id_begin(), 16))
    || to_hex('-9223372036854775808'::bigint + ${random}::bigint + (position << 32)))::uuid`;
};

/** The database adds the ID and the time. */
export type NewEvent = Omit<typeof auditEvent.$inferSelect, 'id' | 'at'>;

/** Events in their order, in one statement. */
export async function insertEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  const rows = events.map((event, position) => ({
    ...event,
    position,
    data: JSON.stringify(event.data),
  }));
  await tx.execute(sql`
    insert into ${auditEvent} (${columns}) select ${newIds()}, ${values} from ${rowsOf(types, rows)} as event`);
}

/**
 * The same event for many devices, in one statement.
 *
 * @param devices a query of `device_id` and `own`, an object that is added to the data
 */
export async function insertEventsForDevices(
  tx: Transaction,
  event: Omit<NewEvent, 'deviceId'>,
  devices: SQL,
): Promise<void> {
  const shared = sharedKeys.map((key) => sql`${event[key]}::${sql.raw(types[key])}`);
  await tx.execute(sql`
    insert into ${auditEvent} (${columns})
    select ${newIds()}, device_id, ${sql.join(shared, sql`, `)}, ${JSON.stringify(event.data)}::jsonb || own
    from (select *, row_number() over () as position from (${devices}) as devices) as numbered`);
}
