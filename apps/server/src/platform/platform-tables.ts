import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { moment, portalNow } from './columns.ts';

/** Parameters that operators change while the portal runs, and facts frozen at first start. */
export const setting = pgTable('setting', {
  key: text().primaryKey(),
  value: jsonb().$type<unknown>().notNull(),
  updatedAt: moment('updated_at').notNull().default(portalNow),
});
