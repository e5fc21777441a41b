import type { RecentItem } from '@deviceportal/contract/session';
import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { moment, portalNow } from '../../platform/columns.ts';

/** Recently opened items of a user, for the command palette and the home screen. */
export const recentItem = pgTable(
  'recent_item',
  {
    userId: uuid('user_id').notNull(),
    kind: text().$type<RecentItem['kind']>().notNull(),
    itemId: text('item_id').notNull(),
    label: text().notNull(),
    at: moment('at').notNull().default(portalNow),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind, table.itemId] })],
);
