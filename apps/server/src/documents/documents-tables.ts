import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { moment } from '../platform/columns.ts';

/** A command document; what SSM does not know stands here, beside the text of its versions. */
export const document = pgTable(
  'document',
  {
    name: text().primaryKey(),
    description: text().notNull().default(''),
    consequence: text().notNull(),
    secretParameters: jsonb('secret_parameters').$type<string[]>().notNull().default([]),
    labels: jsonb().$type<Record<string, string>>().notNull().default({}),
    state: text().notNull(),
    builtin: boolean().notNull().default(false),
    defaultVersion: integer('default_version').notNull(),
    latestVersion: integer('latest_version').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    updatedBy: text('updated_by').notNull(),
  },
  (table) => [index('document_by_updated').on(table.updatedAt, table.name)],
);

export const documentVersion = pgTable(
  'document_version',
  {
    documentName: text('document_name').notNull(),
    version: integer().notNull(),
    format: text().notNull(),
    /** Exactly as written. */
    content: text().notNull(),
    /** The same, parsed: what is sent to devices. */
    parsed: jsonb().$type<Record<string, unknown>>().notNull(),
    sha256: text().notNull(),
    note: text().notNull().default(''),
    createdBy: text('created_by').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    reviewedBy: text('reviewed_by'),
  },
  (table) => [primaryKey({ columns: [table.documentName, table.version] })],
);
