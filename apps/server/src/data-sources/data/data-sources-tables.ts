import type { DataSource, RejectionReason, TableSource } from '@deviceportal/contract/data-sources';
import {
  bigint,
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment, portalNow } from '../../platform/columns.ts';
import type { FeedCursor, FeedPage } from '../../platform/sources/table-feed.ts';

/** Progress of each data source that is a table outside the portal. */
export const feedState = pgTable('feed_state', {
  source: text().$type<TableSource>().primaryKey(),
  /** Region, endpoint, and name of the table. */
  target: text().notNull(),
  since: moment('since').notNull().default(portalNow),
  /** Where reading continues; null for the start. */
  cursor: jsonb().$type<FeedCursor>(),
  /** Number of moves of the cursor: a page applies only to the cursor from which it was read. */
  turn: integer().notNull().default(0),
  reads: text().$type<FeedPage['reads']>().notNull().default('table'),
  lastReadAt: moment('last_read_at'),
  lastChangeAt: moment('last_change_at'),
  lagMs: bigint('lag_ms', { mode: 'number' }),
  applied: bigint({ mode: 'number' }).notNull().default(0),
  rejected: bigint({ mode: 'number' }).notNull().default(0),
  lastWriteAt: moment('last_write_at'),
  written: bigint({ mode: 'number' }).notNull().default(0),
  /** Since when changes are no longer queued because too many are. */
  fullSince: moment('full_since'),
  /** The last key up to which all items were written, empty at the start; null if that is not in progress. */
  allAfter: text('all_after'),
  /** A transaction that began after changes were queued again: writing all items waits for earlier ones. */
  allHorizon: bigint('all_horizon', { mode: 'number' }),
  readFault: text('read_fault'),
  readFaultSince: moment('read_fault_since'),
  writeFault: text('write_fault'),
  writeFaultSince: moment('write_fault_since'),
  lastFault: text('last_fault'),
  lastFaultAt: moment('last_fault_at'),
});

/** Keys whose items changed here and are not yet written to the outside table. One row per key. */
export const feedOutgoing = pgTable(
  'feed_outgoing',
  {
    source: text().$type<TableSource>().notNull(),
    /** The partition key, and the sort key, if any. */
    key: text().notNull(),
    sortKey: text('sort_key').notNull().default(''),
    /** Grows with each change, so that a later one is not taken for an earlier one. */
    seq: bigserial({ mode: 'number' }).notNull(),
    /** Whether the item was erased: such a row is kept when too many are waiting. */
    isErased: boolean('is_erased').notNull().default(false),
    /** Of the first change that is not written. Null for those queued by an earlier release. */
    queuedAt: moment('queued_at'),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.key, table.sortKey] }),
    index('feed_outgoing_by_seq').on(table.source, table.seq),
  ],
);

/** Items of outside tables that were set aside. The newest of each source. */
export const feedRejection = pgTable(
  'feed_rejection',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    source: text().$type<TableSource>().notNull(),
    key: text().notNull(),
    reason: text().$type<RejectionReason>().notNull(),
    detail: text().notNull(),
    at: moment('at').notNull().default(portalNow),
  },
  (table) => [index('feed_rejection_by_source').on(table.source, table.id)],
);

/** What each running server last heard from the outside systems that it calls. */
export const sourceContact = pgTable(
  'source_contact',
  {
    source: text().$type<DataSource>().notNull(),
    server: uuid().notNull(),
    /** Host name and process id. */
    serverName: text('server_name').notNull(),
    seenAt: moment('seen_at').notNull(),
    lastAnswerAt: moment('last_answer_at'),
    failingSince: moment('failing_since'),
    fault: text(),
    delayMs: bigint('delay_ms', { mode: 'number' }),
    waiting: bigint({ mode: 'number' }),
    calls: bigint({ mode: 'number' }).notNull(),
    failedCalls: bigint('failed_calls', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.server] })],
);
