import { jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { moment, portalNow } from './columns.ts';

/** Parameters that operators change at run time, and facts set permanently at the first start. */
export const setting = pgTable('setting', {
  key: text().primaryKey(),
  value: jsonb().$type<unknown>().notNull(),
  updatedAt: moment('updated_at').notNull().default(portalNow),
});

/** Secrets of the installation, each sealed with a data key that only KMS can decrypt. */
export const sealedSecret = pgTable(
  'sealed_secret',
  {
    /** ARN of the key in KMS, with the region `*` for a multi-Region key. Secrets are copied from one key to another. */
    keyArn: text('key_arn').notNull(),
    /** `keys/installation.key` and the like. */
    name: text().notNull(),
    /** Encrypted by KMS, base64. */
    dataKey: text('data_key').notNull(),
    /** AES-256-GCM with the data key, bound to the name, base64. */
    sealed: text().notNull(),
    changedAt: moment('changed_at').notNull().default(portalNow),
  },
  (table) => [primaryKey({ columns: [table.keyArn, table.name] })],
);
