import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { DocumentPhases } from '@deviceportal/contract/document-phases';
import type { Consequence } from '@deviceportal/contract/permissions';
import type { SsmDocument } from '@deviceportal/contract/ssm-document';
import type { DocumentState } from '@deviceportal/contract/states';
import { moment, portalNow } from '../../platform/columns.ts';

/** A command document; what it does and how far it reaches stands in its versions. */
export const document = pgTable(
  'document',
  {
    name: text().primaryKey(),
    description: text().notNull().default(''),
    labels: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** Follows from the versions, except `deprecated`. */
    state: text().$type<DocumentState>().notNull(),
    builtin: boolean().notNull().default(false),
    /** An active version; null until one was approved. */
    defaultVersion: integer('default_version'),
    latestVersion: integer('latest_version').notNull(),
    createdAt: moment('created_at').notNull().default(portalNow),
    updatedAt: moment('updated_at').notNull().default(portalNow),
    updatedBy: text('updated_by').notNull(),
  },
  (table) => [index('document_by_updated').on(table.updatedAt, table.name)],
);

export const documentVersion = pgTable(
  'document_version',
  {
    documentName: text('document_name').notNull(),
    version: integer().notNull(),
    state: text().$type<DocumentState>().notNull().default('draft'),
    format: text().$type<'JSON' | 'YAML'>().notNull(),
    /** Exactly as written. */
    content: text().notNull(),
    /** The same, parsed: what is sent to devices. `json`, for `jsonb` would sort the parameters. */
    parsed: json().$type<SsmDocument>().notNull(),
    /** Pre-check, verify and undo, exactly as written; empty where there are none. */
    phasesText: text('phases_text').notNull().default(''),
    /** The same, parsed. */
    phases: json().$type<DocumentPhases>().notNull().default({}),
    /** Of both texts. */
    sha256: text().notNull(),
    /** What SSM does not know stands beside the text, and is reviewed with it. */
    consequence: text().$type<Consequence>().notNull(),
    secretParameters: jsonb('secret_parameters').$type<readonly string[]>().notNull().default([]),
    note: text().notNull().default(''),
    createdBy: text('created_by').notNull(),
    /** Null for what comes with a release. */
    createdById: uuid('created_by_id'),
    createdAt: moment('created_at').notNull().default(portalNow),
    submittedBy: text('submitted_by'),
    submittedAt: moment('submitted_at'),
    reviewedBy: text('reviewed_by'),
    reviewedById: uuid('reviewed_by_id'),
    reviewedAt: moment('reviewed_at'),
    reviewDecision: text('review_decision').$type<'approved' | 'rejected'>(),
    reviewComment: text('review_comment').notNull().default(''),
  },
  (table) => [
    primaryKey({ columns: [table.documentName, table.version] }),
    uniqueIndex('document_version_in_review')
      .on(table.documentName)
      .where(sql`${table.state} = 'review'`),
    // The rule of the second person holds whatever program writes here.
    check(
      'document_version_second_person',
      sql`${table.reviewDecision} is distinct from 'approved' or ${table.reviewedById} is distinct from ${table.createdById}`,
    ),
  ],
);
