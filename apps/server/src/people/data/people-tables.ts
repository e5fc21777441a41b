import { sql } from 'drizzle-orm';
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment, portalNow } from '../../platform/columns.ts';

/** A customer who owns devices. */
export const person = pgTable(
  'person',
  {
    id: uuid().primaryKey(),
    username: text().notNull().unique(),
    name: text().notNull(),
    email: text(),
    phone: text(),
    country: text(),
    language: text(),
    /** The portal user this person also is. */
    userId: uuid('user_id'),
    createdAt: moment('created_at').notNull().default(portalNow),
    updatedAt: moment('updated_at').notNull().default(portalNow),
    /** When everything that says who it is was taken out; a trigger keeps it out. */
    erasedAt: moment('erased_at'),
  },
  (table) => [
    index('person_name').on(table.name, table.id),
    // Exact look-ups must not go through trigrams: "example" and "com" are in every row.
    index('person_email').on(sql`lower(${table.email}) text_pattern_ops`),
    index('person_phone').on(sql`${table.phone} text_pattern_ops`),
    index('person_text').using(
      'gin',
      sql`lower(${table.name} || ' ' || ${table.username} || ' ' || coalesce(${table.email}, '') || ' ' || coalesce(${table.phone}, '')) gin_trgm_ops`,
    ),
  ],
);
