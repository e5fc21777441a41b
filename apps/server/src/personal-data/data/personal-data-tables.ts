import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment, portalNow } from '../../platform/columns.ts';

/**
 * One data key per person whose name or address is in records that cannot be changed. Destroying a
 * key makes them unreadable without changing the records. A trigger prevents deletion of rows, so
 * that a destroyed key cannot be restored.
 */
export const personKey = pgTable(
  'person_key',
  {
    id: uuid().primaryKey(),
    /** ID of a user or customer, or `name:` and a keyed hash of a name without a known person. */
    person: text().notNull().unique(),
    /** The key, encrypted with the key of the installation; null if it was destroyed. */
    sealed: text(),
    /** SHA-256 of the key, base64url; identifies a destroyed key without revealing it. */
    fingerprint: text().notNull(),
    createdAt: moment('created_at').notNull().default(portalNow),
    destroyedAt: moment('destroyed_at'),
  },
  (table) => [index('person_key_destroyed').on(table.destroyedAt)],
);
