import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from '../platform/columns.ts';

/** One thing that one person is told. Written in the transaction of the fact. */
export const notification = pgTable(
  'notification',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id').notNull(),
    kind: text().notNull(),
    /** What it is about. A person is told once of each thing of a kind, whoever finds it however often. */
    subject: text().notNull(),
    facts: jsonb().$type<Record<string, string | number | null>>().notNull(),
    at: moment('at').notNull(),
    /** False where the person wants this kind by message only. */
    shown: boolean().notNull(),
    readAt: moment('read_at'),
    /** `none`, `wanted`, or `queued`: then the outbox has it. */
    message: text().notNull(),
  },
  (table) => [
    uniqueIndex('notification_once').on(table.subject, table.kind, table.userId),
    index('notification_by_time').on(table.at),
    index('notification_newest').on(table.userId, table.at, table.id),
    index('notification_unread')
      .on(table.userId)
      .where(sql`${table.readAt} is null and ${table.shown}`),
    index('notification_to_send')
      .on(table.at)
      .where(sql`${table.message} = 'wanted'`),
  ],
);

/** How a person wants to hear of a kind, where that is not as everybody does. */
export const notificationSetting = pgTable(
  'notification_setting',
  {
    userId: uuid('user_id').notNull(),
    kind: text().notNull(),
    portal: boolean().notNull(),
    message: boolean().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
);

/** Who wants to know when a device is back; deleted by its connection. */
export const deviceWait = pgTable(
  'device_wait',
  {
    deviceId: uuid('device_id').notNull(),
    userId: uuid('user_id').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.deviceId, table.userId] }),
    index('device_wait_by_user').on(table.userId),
  ],
);
