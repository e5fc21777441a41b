import { index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { moment } from '../../platform/columns.ts';

/** Users who are viewing a device. Refreshed by their page, and ignored after a minute. */
export const devicePresence = pgTable(
  'device_presence',
  {
    deviceId: uuid('device_id').notNull(),
    userId: uuid('user_id').notNull(),
    since: moment('since').notNull(),
    seenAt: moment('seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.deviceId, table.userId] }),
    index('device_presence_by_age').on(table.seenAt),
  ],
);
