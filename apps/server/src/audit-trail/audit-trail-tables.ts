import { sql } from 'drizzle-orm';
import { bigint, customType, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '../platform/columns.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** Append-only without exception: a trigger refuses update, delete and truncate. Its seal is a row of its own. */
export const auditEvent = pgTable(
  'audit_event',
  {
    id: uuid().primaryKey(),
    at: moment('at').notNull(),
    deviceId: uuid('device_id'),
    type: text().notNull(),
    actorKind: text('actor_kind').notNull(),
    actorId: text('actor_id'),
    actorName: text('actor_name').notNull(),
    actorAddress: text('actor_address'),
    caseId: uuid('case_id'),
    requestId: text('request_id'),
    runId: uuid('run_id'),
    data: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  },
  (table) => [
    index('audit_event_newest').on(table.at, table.id),
    index('audit_event_by_device').on(table.deviceId, table.at, table.id),
    index('audit_event_by_type').on(table.type, table.at, table.id),
    // Most events come from devices, without a request and many without a run: these pay for no such entry. What a
    // device did is found by the device.
    index('audit_event_by_actor')
      .on(table.actorId, table.at, table.id)
      .where(sql`${table.actorId} is not null and ${table.actorKind} <> 'device'`),
    index('audit_event_by_request')
      .on(table.requestId)
      .where(sql`${table.requestId} is not null`),
    index('audit_event_by_case')
      .on(table.caseId, table.at, table.id)
      .where(sql`${table.caseId} is not null`),
    index('audit_event_by_run')
      .on(table.runId, table.at)
      .where(sql`${table.runId} is not null`),
  ],
);

/**
 * The chain: each event's place in it, its hash and the hash before. Insert-only like the events, written by the one
 * sealer in batches after commit, so that the chain is no lock on writers. A table of its own, because a seal in the
 * event's row would be an update, which writes the row and all its index entries a second time.
 */
export const auditSeal = pgTable('audit_seal', {
  sequence: bigint({ mode: 'number' }).primaryKey(),
  eventId: uuid('event_id').notNull().unique(),
  hash: bytes().notNull(),
  previousHash: bytes('previous_hash').notNull(),
});

/**
 * Events that wait for their seal, up to a hundred in a row: a row for each would cost the writers a second heap and
 * index entry per event. A statement trigger on `audit_event` puts them here in the transaction that writes them; the
 * sealer deletes them in the transaction that seals them. So what is left to do is found by its own size, not by that
 * of the trail. "Everything after the newest sealed id" would miss events: ids are made before commit, and
 * transactions commit in another order. The trigger, not the writers, keeps the queue, so that no way of writing an
 * event gets around the seal.
 */
export const auditUnsealed = pgTable('audit_unsealed', {
  eventId: uuid('event_id').primaryKey(),
  /** Events that the same statement wrote. */
  further: uuid()
    .array()
    .notNull()
    .default(sql`'{}'`),
});
