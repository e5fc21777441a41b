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

/** A command document. Its texts and consequences are in its versions. */
export const document = pgTable(
  'document',
  {
    name: text().primaryKey(),
    description: text().notNull().default(''),
    labels: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** Derived from the versions, except `deprecated`. */
    state: text().$type<DocumentState>().notNull(),
    builtin: boolean().notNull().default(false),
    /** An active version; null until one is approved. */
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
    /** The text as entered. */
    content: text().notNull(),
    /** The parsed text, which is sent to devices. `json`, because `jsonb` would sort the parameters. */
    parsed: json().$type<SsmDocument>().notNull(),
    /** Pre-check, verify, and undo steps as entered; empty if there are none. */
    phasesText: text('phases_text').notNull().default(''),
    /** The parsed phases. */
    phases: json().$type<DocumentPhases>().notNull().default({}),
    /** Of content and phases. */
    sha256: text().notNull(),
    /** Not part of SSM documents, so stored separately from the text. Reviewed together with it. */
    consequence: text().$type<Consequence>().notNull(),
    secretParameters: jsonb('secret_parameters').$type<readonly string[]>().notNull().default([]),
    note: text().notNull().default(''),
    createdBy: text('created_by').notNull(),
    /** Null for versions of a release. */
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
    // Enforces the review by a second person for all writers of this table.
    check(
      'document_version_second_person',
      sql`${table.reviewDecision} is distinct from 'approved' or ${table.reviewedById} is distinct from ${table.createdById}`,
    ),
  ],
);
