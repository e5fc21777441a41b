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
    /** The portal user who is the same person. */
    userId: uuid('user_id'),
    createdAt: moment('created_at').notNull().default(portalNow),
    updatedAt: moment('updated_at').notNull().default(portalNow),
    /** When the identifying data was erased; a trigger prevents it from being set again. */
    erasedAt: moment('erased_at'),
  },
  (table) => [
    index('person_name').on(table.name, table.id),
    // Exact lookups must not use trigrams: "example" and "com" are in every row.
    index('person_email').on(sql`lower(${table.email}) text_pattern_ops`),
    // The local part without separators, to find an address with typing errors.
    index('person_mailbox').on(
      sql`translate(split_part(lower(${table.email}), '@', 1), '._-', '') collate "C"`,
    ),
    index('person_phone').on(sql`${table.phone} text_pattern_ops`),
    index('person_text').using(
      'gin',
      sql`lower(${table.name} || ' ' || ${table.username} || ' ' || coalesce(${table.email}, '') || ' ' || coalesce(${table.phone}, '')) gin_trgm_ops`,
    ),
  ],
);
