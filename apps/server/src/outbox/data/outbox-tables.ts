import type { MessageChannel } from '@deviceportal/identity/messenger';
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '../../platform/columns.ts';

/** Messages of the local messenger: codes and links that are not sent to other machines. */
export const outboxMessage = pgTable(
  'outbox_message',
  {
    id: uuid().primaryKey(),
    recipient: text().notNull(),
    channel: text().$type<MessageChannel>().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    /** Null for text messages. */
    html: text(),
    code: text(),
    sentAt: moment('sent_at').notNull(),
  },
  (table) => [index('outbox_message_newest').on(table.sentAt, table.id)],
);
