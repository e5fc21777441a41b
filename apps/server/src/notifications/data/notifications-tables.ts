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
import type { NotificationFacts, NotificationKind } from '@deviceportal/contract/notifications';
import { moment } from '../../platform/columns.ts';

/** A notification of a user. Written in the transaction of its cause. */
export const notification = pgTable(
  'notification',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id').notNull(),
    kind: text().$type<NotificationKind>().notNull(),
    /** A user is notified once for each subject of a kind, no matter how often it occurs. */
    subject: text().notNull(),
    facts: jsonb().$type<NotificationFacts>().notNull(),
    at: moment('at').notNull(),
    /** False if the user wants this kind by message only. */
    shown: boolean().notNull(),
    readAt: moment('read_at'),
    /** `none`, `wanted`, or `queued` (passed to the message queue). */
    message: text().$type<'none' | 'wanted' | 'queued'>().notNull(),
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

/** Notification preferences of a user for a kind, if they differ from the defaults. */
export const notificationSetting = pgTable(
  'notification_setting',
  {
    userId: uuid('user_id').notNull(),
    kind: text().$type<NotificationKind>().notNull(),
    portal: boolean().notNull(),
    message: boolean().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
);

/** Users to notify when a device is back online. Deleted when it connects. */
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
