import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type {
  Redaction,
  ReportFile,
  ReportLanguage,
  ReportPaper,
  ReportPart,
  ReportProgress,
  ReportVoice,
} from '@deviceportal/contract/reports';
import type { ReportState } from '@deviceportal/contract/states';
import { moment } from '../../platform/columns.ts';

/** A requested report. Its content is stored as files at the report location. */
export const report = pgTable(
  'report',
  {
    id: uuid().primaryKey(),
    kind: text().notNull(),
    personId: uuid('person_id').notNull(),
    caseId: uuid('case_id'),
    fromAt: moment('from_at').notNull(),
    toAt: moment('to_at').notNull(),
    parts: jsonb().$type<readonly ReportPart[]>().notNull(),
    language: text().$type<ReportLanguage>().notNull(),
    voice: text().$type<ReportVoice>().notNull(),
    paper: text().$type<ReportPaper>().notNull(),
    precise: boolean().notNull(),
    state: text().$type<ReportState>().notNull(),
    progress: jsonb().$type<readonly ReportProgress[]>().notNull().default([]),
    /** Only viewers who may see all of these devices may see the report. */
    deviceIds: uuid('device_ids')
      .array()
      .notNull()
      .default(sql`'{}'`),
    findingCount: integer('finding_count').notNull().default(0),
    /** `[{ format, bytes, sha256 }]` */
    files: jsonb().$type<readonly ReportFile[]>().notNull().default([]),
    failure: text(),
    createdById: uuid('created_by_id').notNull(),
    createdBySubject: text('created_by_subject').notNull(),
    createdBy: text('created_by').notNull(),
    address: text(),
    requestId: text('request_id'),
    createdAt: moment('created_at').notNull(),
    /** Number of the current rendering: an earlier one that resumes must not write. */
    attempt: integer().notNull().default(0),
    /** The last heartbeat of the server that creates it. */
    beatAt: moment('beat_at'),
    endedAt: moment('ended_at'),
    expiresAt: moment('expires_at').notNull(),
    /** The temporary access with which it was created: when it ends, the creator can no longer view the report. */
    accessGrantId: uuid('access_grant_id'),
  },
  (table) => [
    index('report_newest').on(table.createdAt, table.id),
    index('report_by_person').on(table.personId, table.createdAt, table.id),
    index('report_by_maker').on(table.createdById, table.createdAt),
    index('report_by_case')
      .on(table.caseId, table.createdAt)
      .where(sql`${table.caseId} is not null`),
    index('report_open')
      .on(table.createdAt)
      .where(sql`${table.endedAt} is null`),
  ],
);

/** A redacted copy of a report that a link opens without a session. */
export const reportShare = pgTable(
  'report_share',
  {
    id: uuid().primaryKey(),
    reportId: uuid('report_id').notNull(),
    redaction: jsonb().$type<Redaction>().notNull(),
    createdById: uuid('created_by_id').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    endedAt: moment('ended_at'),
    /** The case in which the link was created, or whose report it opens. */
    caseId: uuid('case_id'),
    openings: integer().notNull().default(0),
    lastOpenedAt: moment('last_opened_at'),
    /** The temporary access with which it was created, and with which it ends. */
    accessGrantId: uuid('access_grant_id'),
  },
  (table) => [
    index('report_share_by_access_grant')
      .on(table.accessGrantId)
      .where(sql`${table.accessGrantId} is not null`),
    index('report_share_by_report').on(table.reportId, table.createdAt),
  ],
);
