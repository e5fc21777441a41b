import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type {
  ImportCounts,
  ImportDetail,
  ImportEncoding,
  ImportKind,
  ImportOutcome,
  ImportState,
} from '@deviceportal/contract/imports';
import type { RefusalReason } from '@deviceportal/contract/refusals';
import { moment, portalNow } from '../../platform/columns.ts';

/** Imports of files. Only their user sees them. */
export const dataImport = pgTable(
  'data_import',
  {
    id: uuid().primaryKey(),
    kind: text().$type<ImportKind>().notNull(),
    state: text().$type<ImportState>().notNull().default('uploading'),
    fileName: text('file_name').notNull(),
    encoding: text().$type<ImportEncoding>().notNull(),
    counts: jsonb().$type<ImportCounts>().notNull(),
    ignoredColumns: jsonb('ignored_columns').$type<string[]>().notNull().default([]),
    problem: jsonb().$type<ImportDetail['problem']>(),
    createdById: uuid('created_by_id').notNull(),
    createdAt: moment('created_at').notNull().default(portalNow),
    confirmedAt: moment('confirmed_at'),
    /** When it was applied, undone, rejected, or discarded. */
    endedAt: moment('ended_at'),
    hasClaim: boolean('has_claim').notNull().default(false),
  },
  (table) => [
    index('data_import_of_user').on(table.createdById, table.createdAt, table.id),
    index('data_import_by_age').on(table.createdAt),
  ],
);

export type ImportRowState = 'waiting' | 'applied' | 'undone' | 'left';

/** Rows of files, until their import can no longer be undone. */
export const dataImportRow = pgTable(
  'data_import_row',
  {
    id: uuid().primaryKey(),
    importId: uuid('import_id').notNull(),
    line: integer().notNull(),
    /** Null until it is checked. */
    outcome: text().$type<ImportOutcome>(),
    state: text().$type<ImportRowState>().notNull().default('waiting'),
    /** Order in the preview: refused rows first. */
    rank: smallint().notNull().default(9),
    targetId: uuid('target_id'),
    reason: text().$type<RefusalReason>(),
    columnName: text('column_name'),
    /** The values of the row, those before and after it, and the facts of its refusal, encrypted. */
    sealed: text().notNull(),
  },
  (table) => [
    uniqueIndex('data_import_row_in_order').on(table.importId, table.rank, table.line),
    index('data_import_row_unchecked')
      .on(table.importId, table.line)
      .where(sql`${table.outcome} is null`),
    index('data_import_row_to_apply')
      .on(table.importId, table.line)
      .where(sql`${table.state} = 'waiting' and ${table.outcome} in ('new', 'changed')`),
    index('data_import_row_to_undo')
      .on(table.importId, table.line)
      .where(sql`${table.state} = 'applied'`),
    index('data_import_row_left')
      .on(table.importId, table.line)
      .where(sql`${table.state} = 'left'`),
    index('data_import_row_of_target').on(table.targetId, table.id),
  ],
);
