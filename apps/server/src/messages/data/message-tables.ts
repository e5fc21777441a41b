import type { MessageChannel } from '@deviceportal/identity/messenger';
import { boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import { moment } from '../../platform/columns.ts';

/**
 * `waiting`: until the next attempt; `sending`: an attempt is in progress; `handing-over`: the server may have
 * accepted it. The others are final.
 */
export type MessageState =
  | 'waiting'
  | 'sending'
  | 'handing-over'
  | 'sent'
  | 'refused'
  | 'uncertain'
  | 'expired'
  | 'superseded';

/**
 * Messages in delivery, and results of recent ones. Address and text are only in `sealed`,
 * encrypted with a key outside the database, and are deleted when delivery has ended.
 */
export const outgoingMessage = pgTable(
  'outgoing_message',
  {
    id: uuid().primaryKey(),
    channel: text().$type<MessageChannel>().notNull(),
    kind: text().notNull(),
    /** The recipient's `sub`, if any. */
    person: text(),
    /** Keyed hash, which reveals nothing: a newer code to the same address supersedes an older one. */
    recipientHash: text('recipient_hash').notNull(),
    sealed: text(),
    state: text().$type<MessageState>().notNull(),
    /** Whether a duplicate is better than a loss. Never for a code. */
    repeatable: boolean().notNull(),
    attempts: integer().notNull(),
    /** Until then an attempt has claimed it, or it waits. */
    freeAt: moment('free_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    reason: text(),
    createdAt: moment('created_at').notNull(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('outgoing_message_open')
      .on(table.freeAt)
      .where(sql`${table.endedAt} is null`),
    index('outgoing_message_open_by_recipient')
      .on(table.recipientHash)
      .where(sql`${table.endedAt} is null`),
    index('outgoing_message_ended').on(table.endedAt),
  ],
);
