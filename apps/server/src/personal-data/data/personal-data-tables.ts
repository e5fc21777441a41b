import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment, portalNow } from '../../platform/columns.ts';

/**
 * One data key per person whose name or address is in records that cannot be changed. Destroying a
 * key makes them unreadable without changing the records. A trigger prevents deletion of rows, so
 * that a destroyed key cannot be restored.
 */
export const personKey = pgTable(
  'person_key',
  {
    id: uuid().primaryKey(),
    /** ID of a user or customer, or `name:` and a keyed hash of a name without a known person. */
    person: text().notNull().unique(),
    /** The key, encrypted with the key of the installation; null if it was destroyed. */
    sealed: text(),
    /** SHA-256 of the key, base64url; identifies a destroyed key without revealing it. */
    fingerprint: text().notNull(),
    createdAt: moment('created_at').notNull().default(portalNow),
    destroyedAt: moment('destroyed_at'),
  },
  (table) => [index('person_key_destroyed').on(table.destroyedAt)],
);

/**
 * Progress of an erasure: what is stored about the person outside their own rows is changed and deleted in batches, each
 * in a transaction with this row. A row per erasure is kept as its record.
 */
export const erasure = pgTable(
  'erasure',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id'),
    personIds: uuid('person_ids').array().notNull(),
    /** The names by which rows refer to the person, encrypted with the key of the installation; null when erased. */
    sealedNames: text('sealed_names'),
    beganAt: moment('began_at').notNull().default(portalNow),
    /** Each round visits all tables. */
    round: integer().notNull().default(1),
    /** Step of the round in progress, and the last row that was visited; null at the beginning. */
    step: text(),
    position: jsonb().$type<readonly string[]>(),
    changed: bigint({ mode: 'number' }).notNull().default(0),
    deleted: bigint({ mode: 'number' }).notNull().default(0),
    /** Reports whose rows are deleted, and whose files are next. */
    reportFiles: uuid('report_files').array().notNull().default([]),
    /** Open runs and rollouts whose signed texts contain the name, and are deleted when they end. */
    waitsFor: integer('waits_for').notNull().default(0),
    /** Failed batches in a row, and the code of the last error. */
    failures: integer().notNull().default(0),
    failure: text(),
    /** When the next batch is due. */
    dueAt: moment('due_at').notNull().default(portalNow),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('erasure_due')
      .on(table.dueAt)
      .where(sql`${table.endedAt} is null`),
    index('erasure_by_user').on(table.userId),
    index('erasure_by_people').using('gin', table.personIds),
  ],
);
