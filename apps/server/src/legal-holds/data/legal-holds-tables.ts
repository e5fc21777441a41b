import { boolean, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import type { HeldKind } from '@deviceportal/contract/legal-holds';
import { moment } from '../../platform/columns.ts';

/** An order to keep data. */
export const legalHold = pgTable(
  'legal_hold',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    reason: text().notNull(),
    /** Range of the held data; null without a limit. */
    heldFrom: moment('held_from'),
    heldTo: moment('held_to'),
    /** When the hold ends by itself. */
    until: moment('until'),
    /** Whether subjects were named. Otherwise, everything in the range is held. */
    isLimited: boolean('is_limited').notNull(),
    setById: uuid('set_by_id').notNull(),
    setAt: moment('set_at').notNull(),
    releaseReason: text('release_reason').notNull().default(''),
    releaseRequestedById: uuid('release_requested_by_id'),
    releaseRequestedAt: moment('release_requested_at'),
    /** Null for a hold that ended by itself. */
    endedById: uuid('ended_by_id'),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('legal_hold_newest').on(table.setAt, table.id),
    index('legal_hold_standing')
      .on(table.id)
      .where(sql`${table.endedAt} is null`),
  ],
);

/**
 * What a hold covers: what was named, and what follows from it. `owner` is the owner of a named device, whose other
 * devices are not held.
 */
export const legalHoldSubject = pgTable(
  'legal_hold_subject',
  {
    holdId: uuid('hold_id').notNull(),
    kind: text().$type<HeldKind | 'owner'>().notNull(),
    subjectId: uuid('subject_id').notNull(),
    isNamed: boolean('is_named').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.holdId, table.kind, table.subjectId] }),
    index('legal_hold_subject_by_id').on(table.subjectId, table.kind),
  ],
);

/** An erasure that was requested under a hold. */
export const heldErasure = pgTable(
  'held_erasure',
  {
    id: uuid().primaryKey(),
    kind: text().$type<'user' | 'customer'>().notNull(),
    personId: uuid('person_id').notNull(),
    requestedById: uuid('requested_by_id').notNull(),
    requestedAt: moment('requested_at').notNull(),
    /** When the erasure began. */
    begunAt: moment('begun_at'),
  },
  (table) => [
    uniqueIndex('held_erasure_waiting')
      .on(table.personId)
      .where(sql`${table.begunAt} is null`),
  ],
);
