import { z } from 'zod';
import { SIGNED_URL_DEFAULT_SECONDS, SIGNED_URL_MAX_SECONDS } from '../constants.ts';
import { idSchema } from '../ids.ts';
import { cursorSchema, pageSizeSchema, timeRangeSchema, type Timestamp } from '../pages.ts';
import type { ReportState } from '../states.ts';
import type { UserReportDocument } from './user-report/user-report-document.ts';
import type { AccessGrantBond } from '../access/access-grant-bond.ts';
import {
  reportLanguages,
  reportPapers,
  reportParts,
  reportVoices,
  type ReportLanguage,
  type ReportPaper,
  type ReportPart,
  type ReportVoice,
} from './report-options.ts';

export * from './report-options.ts';

/** Steps of creating a report, in order. */
export const reportSteps = [
  'person',
  'devices',
  'commands',
  'events',
  'versions',
  'locations',
  'findings',
  'writing',
] as const;
export type ReportStep = (typeof reportSteps)[number];

export const reportFormats = ['pdf', 'csv', 'json'] as const;
export type ReportFormat = (typeof reportFormats)[number];

export const requestReportInput = z.object({
  personId: idSchema,
  caseId: idSchema.nullable().default(null),
  /** Default: the last seven days. */
  range: timeRangeSchema.prefault({}),
  parts: z.array(z.enum(reportParts)).default([...reportParts]),
  language: z.enum(reportLanguages).nullable().default(null),
  voice: z.enum(reportVoices).default('technical'),
  paper: z.enum(reportPapers).default('a4'),
  includePreciseLocation: z.boolean().default(false),
});

export const reportReferenceInput = z.object({ id: idSchema });

export const listReportsInput = z.object({
  personId: idSchema.nullable().default(null),
  /** Only reports that the viewer requested. */
  mine: z.boolean().default(false),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

export const reportFileInput = z.object({ id: idSchema, format: z.enum(reportFormats) });

export interface ReportProgress {
  readonly step: ReportStep;
  readonly startedAt: Timestamp;
  readonly endedAt: Timestamp | null;
  /** Number of records found for the step. */
  readonly count: number | null;
}

export interface ReportFile {
  readonly format: ReportFormat;
  readonly bytes: number;
  readonly sha256: string;
}

export interface ReportRow {
  readonly id: string;
  readonly personId: string;
  /** The name with a second fact, as the viewer sees them. */
  readonly personLabel: string;
  readonly caseId: string | null;
  readonly from: Timestamp;
  readonly to: Timestamp;
  readonly parts: readonly ReportPart[];
  readonly language: ReportLanguage;
  readonly voice: ReportVoice;
  readonly paper: ReportPaper;
  readonly precise: boolean;
  readonly state: ReportState;
  readonly progress: readonly ReportProgress[];
  readonly devices: number;
  readonly findings: number;
  readonly files: readonly ReportFile[];
  /** Name of the catalog error, if it failed. */
  readonly failure: string | null;
  readonly createdAt: Timestamp;
  readonly createdBy: string;
  readonly isMine: boolean;
  readonly endedAt: Timestamp | null;
  /** When its files are deleted. */
  readonly expiresAt: Timestamp;
}

/**
 * Maximum number of free texts of a report that can be reviewed and shared. All others are omitted.
 */
export const SHARED_TEXTS_MAX = 100;

/** What to omit from a shared report. Secrets are always omitted. */
export const redactionSchema = z.object({
  /** Names and addresses of all people except the report's subject. */
  otherPeople: z.boolean().default(true),
  /** Email, phone, and username of the report's subject. */
  contact: z.boolean().default(true),
  /** Network addresses and host names. */
  networks: z.boolean().default(true),
  /** Locations: omitted, or rounded to this many degrees. */
  place: z.enum(['none', '1', '0.1', 'as-is']).default('1'),
  /**
   * Free texts that the sender reviewed and allowed, by `SharedText.id`. All others are omitted.
   */
  allowedTexts: z.array(z.string().max(40)).max(SHARED_TEXTS_MAX).default([]),
});
export type Redaction = z.infer<typeof redactionSchema>;

export type SharedTextKind =
  | 'device-name'
  | 'case-subject'
  | 'case-entry'
  | 'output'
  | 'finding'
  | 'event';

/** A free text of a report. Recipients see it only if the sender reviewed and allowed it. */
export interface SharedText {
  /** A digest of the record and the displayed text, so that a changed text needs a new review. */
  readonly id: string;
  readonly kind: SharedTextKind;
  /** The command or event that it belongs to, in the report's language. */
  readonly title: string;
  readonly at: Timestamp | null;
  /** As the recipient sees it, with all redactions applied. */
  readonly text: string;
  /** Whether the text is truncated. */
  readonly isCut: boolean;
}

/** Exactly what a recipient would see, and the free texts to review. */
export interface SharePreview {
  readonly report: UserReportDocument;
  /** At most `SHARED_TEXTS_MAX`. Texts beyond that are omitted from the shared report. */
  readonly texts: readonly SharedText[];
  readonly textsTotal: number;
  /** Number of these texts that are omitted because their redaction timed out. */
  readonly textsLeftOut: number;
}

export const previewShareInput = z.object({
  id: idSchema,
  redaction: redactionSchema.prefault({}),
});

const validSeconds = z
  .int()
  .min(60)
  .max(SIGNED_URL_MAX_SECONDS)
  .default(SIGNED_URL_DEFAULT_SECONDS);

export const shareReportInput = previewShareInput.extend({ validSeconds });
export const renewShareInput = z.object({ shareId: idSchema, validSeconds });
export const shareReferenceInput = z.object({ shareId: idSchema });

/** A redacted copy that a link opens without a session. */
export interface ReportShare {
  readonly id: string;
  readonly reportId: string;
  readonly redaction: Redaction;
  readonly createdAt: Timestamp;
  readonly createdBy: string;
  readonly expiresAt: Timestamp;
  readonly endedAt: Timestamp | null;
  readonly openings: number;
  readonly lastOpenedAt: Timestamp | null;
  /** The temporary access with which it was created and with which it ends. */
  readonly bond: AccessGrantBond | null;
}

/**
 * The link is returned when it is created or renewed. Renewing an ended share creates a new link.
 */
export interface ReportShareLink extends ReportShare {
  readonly url: string;
}
