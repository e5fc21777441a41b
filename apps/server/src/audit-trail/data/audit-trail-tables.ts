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
 * Audit events, append-only: triggers reject update, delete, and truncate. Partitioned into months
 * by id, which contains the recorded time independently of the device's clock, so that a whole
 * month is dropped when it is archived.
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
 * The chain of sealed blocks. A block has a Merkle tree over the events of a batch, the hash of the
 * previous block, and a signature. Insert-only like the events, and written by a single sealer
 * after commit, so that the chain does not lock writers; one row holds hundreds of events. The hash
 * of each event is also stored, so that a changed event can be identified, and an event can be
 * proven without reading its neighbors.
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
export const auditArchiveFile = pgTable('audit_cold_file', {
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
 * Position up to which blocks were delivered to each anchor. The blocks themselves are the queue:
 * it is written with them, is in order, and costs nothing while an anchor is unavailable.
 */
export const auditAnchorProgress = pgTable('audit_anchor_progress', {
  /** `syslog`, `s3`, `tsa`, or `file@HOST:PATH`: every server has a file of its own. */
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

/**
 * Public keys that have signed blocks: the current key of the installation and its predecessors.
 */
export const auditKey = pgTable('audit_key', {
  id: text().primaryKey(),
  /** Ed25519, 32 bytes. */
  publicKey: bytes('public_key').notNull(),
  since: moment('since').notNull(),
});

/**
 * Events queued for sealing, up to a hundred per row: a row per event would cost writers a second
 * heap and index entry for each. A statement trigger on `audit_event` inserts them in the
 * transaction that writes them; a trigger on `audit_block` deletes them in the transaction that
 * seals them. So the cost of finding queued events depends on their number, not on the size of the
 * trail. "Everything after the newest sealed id" would miss events, because ids are created before
 * commit and transactions commit in a different order. The trigger maintains the queue, not the
 * writers, so that every written event is sealed.
 */
export const auditUnsealed = pgTable('audit_unsealed', {
  eventId: uuid('event_id').primaryKey(),
  /** Events that the same statement wrote. */
  further: uuid()
    .array()
    .notNull()
    .default(sql`'{}'`),
});
