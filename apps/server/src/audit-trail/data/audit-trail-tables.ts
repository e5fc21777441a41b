import type { AuditActor } from '@deviceportal/contract/audit-trail';
import { sql } from 'drizzle-orm';
import {
  bigint,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from '../../platform/columns.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/**
 * Append-only: triggers refuse update, delete and truncate. The table is divided by id into months (an id tells when the
 * event was recorded, whatever its device's clock said), so that a month goes at once when it has become a cold file.
 */
export const auditEvent = pgTable(
  'audit_event',
  {
    id: uuid().primaryKey(),
    /** When it was recorded, by the clock of the database. */
    at: moment('at')
      .notNull()
      .default(sql`audit_clock()`),
    deviceId: uuid('device_id'),
    type: text().notNull(),
    actorKind: text('actor_kind').$type<AuditActor['kind']>().notNull(),
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
    index('audit_event_by_address')
      .on(table.actorAddress, table.at, table.id)
      .where(sql`${table.actorAddress} is not null and ${table.actorKind} <> 'device'`),
    index('audit_event_by_run')
      .on(table.runId, table.at)
      .where(sql`${table.runId} is not null`),
  ],
);

/**
 * The chain: a block for each batch that was sealed, with a Merkle tree over its events, the hash of the block before
 * and a signature. Insert-only like the events, written by the one sealer after commit, so that the chain is no lock on
 * writers, and a row for hundreds of events. The hash of each event stands here too: so it is known which of them was
 * changed, and an event is proven without reading its neighbours.
 */
export const auditBlock = pgTable(
  'audit_block',
  {
    number: bigint({ mode: 'number' }).primaryKey(),
    firstSequence: bigint('first_sequence', { mode: 'number' }).notNull(),
    lastSequence: bigint('last_sequence', { mode: 'number' }).notNull().unique(),
    /** Smallest and largest id: almost in the order of blocks, so that the block of an event is found by a range. */
    firstId: uuid('first_id').notNull(),
    lastId: uuid('last_id').notNull(),
    /** In the order of the trail, which is that of ids within a block. */
    eventIds: uuid('event_ids').array().notNull(),
    /** 32 bytes for each event. */
    leaves: bytes().notNull(),
    root: bytes().notNull(),
    previousHash: bytes('previous_hash').notNull(),
    hash: bytes().notNull(),
    sealedAt: moment('sealed_at').notNull(),
    keyId: text('key_id').notNull(),
    signature: bytes().notNull(),
  },
  (table) => [
    index('audit_block_by_ids').using('brin', table.firstId, table.lastId).with({
      pages_per_range: 4,
    }),
  ],
);

/** Months of the audit trail that have become files. A row counts from the transaction on that dropped the month. */
export const auditColdFile = pgTable('audit_cold_file', {
  /** Below the folder of cold months. */
  file: text().primaryKey(),
  month: text().notNull(),
  events: bigint({ mode: 'number' }).notNull(),
  firstId: uuid('first_id').notNull(),
  lastId: uuid('last_id').notNull(),
  firstAt: moment('first_at').notNull(),
  lastAt: moment('last_at').notNull(),
  /** SHA-256 over the hashes of its events in the order of their ids. */
  digest: bytes().notNull(),
  /** When its time to be kept had ended. */
  deletedAt: moment('deleted_at'),
});

/**
 * How far the blocks have come to each place that keeps them outside the database. The blocks themselves are the queue:
 * it is written with them, is in order, and costs nothing of its own while a place is away.
 */
export const auditAnchorProgress = pgTable('audit_anchor_progress', {
  /** `file`, `syslog` or `tsa`. */
  target: text().primaryKey(),
  /** Number of the newest block that was delivered, by itself or by one after it. */
  delivered: bigint({ mode: 'number' }).notNull(),
  /** Failures since the last delivery. */
  attempts: integer().notNull().default(0),
  /** Not before. */
  nextAt: moment('next_at').notNull(),
  /** Of the last failure; null after a delivery. */
  error: text(),
});

/** Tokens of time-stamp authorities (RFC 3161) for blocks. Insert-only. */
export const auditTimeStamp = pgTable('audit_time_stamp', {
  block: bigint({ mode: 'number' }).primaryKey(),
  token: bytes().notNull(),
});

/** Public keys that have signed blocks: the present one of the installation, and those before it. */
export const auditKey = pgTable('audit_key', {
  id: text().primaryKey(),
  /** Ed25519, 32 bytes. */
  publicKey: bytes('public_key').notNull(),
  since: moment('since').notNull(),
});

/**
 * Events that wait for their seal, up to a hundred in a row: a row for each would cost the writers a second heap and
 * index entry per event. A statement trigger on `audit_event` puts them here in the transaction that writes them; a
 * trigger on `audit_block` deletes them in the transaction that seals them. So what is left to do is found by its own size, not by that
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
