import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { moment, portalNow } from './columns.ts';

/** Parameters that operators change at run time, and facts set permanently at the first start. */
export const setting = pgTable('setting', {
  key: text().primaryKey(),
  value: jsonb().$type<unknown>().notNull(),
  updatedAt: moment('updated_at').notNull().default(portalNow),
});
