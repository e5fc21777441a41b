import { z } from 'zod';
import { SIGNED_URL_DEFAULT_SECONDS, SIGNED_URL_MAX_SECONDS } from '../constants.ts';
import { idSchema } from '../ids.ts';
import { cursorSchema, pageSizeSchema, timeRangeSchema, type Timestamp } from '../pages.ts';
import type { ReportState } from '../states.ts';
import type { UserReportDocument } from './user-report/user-report-document.ts';
import type { ElevationBond } from '../access/elevation-bond.ts';
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

/** What making a report goes through, in this order. */
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
  /** An open beginning means seven days before the end, an open end means now. */
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
  /** Only those that the viewer asked for. */
  mine: z.boolean().default(false),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

export const reportFileInput = z.object({ id: idSchema, format: z.enum(reportFormats) });

export interface ReportProgress {
  readonly step: ReportStep;
  readonly startedAt: Timestamp;
  readonly endedAt: Timestamp | null;
  /** How many of what the step is about were found. */
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
  readonly personName: string;
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
  /** Why it could not be made, as an error of the catalogue. */
  readonly failure: string | null;
  readonly createdAt: Timestamp;
  readonly createdBy: string;
  readonly isMine: boolean;
  readonly endedAt: Timestamp | null;
  /** When its files are deleted. */
  readonly expiresAt: Timestamp;
}

/** So many free texts of one report can be reviewed and allowed; all others are left out of what is shared. */
export const SHARED_TEXTS_MAX = 100;

/** What is left out of a report before somebody else gets it. Secrets always are. */
export const redactionSchema = z.object({
  /** Names and addresses of everybody but the person whom it is about. */
  otherPeople: z.boolean().default(true),
  /** E-mail, phone and user name of that person. */
  contact: z.boolean().default(true),
  /** Network addresses and names of hosts. */
  networks: z.boolean().default(true),
  /** Places: not at all, or rounded to this many degrees. */
  place: z.enum(['none', '1', '0.1', 'as-is']).default('1'),
  /** Free texts that the sender read and allowed, by `SharedText.id`; all others are left out. */
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

/** A free text of a report. A recipient sees it only if the sender read it and allowed it. */
export interface SharedText {
  /** A digest of the record and of the text as it is shown: another text is another item. */
  readonly id: string;
  readonly kind: SharedTextKind;
  /** What it belongs to: a command on a device, an event. In the report's language. */
  readonly title: string;
  readonly at: Timestamp | null;
  /** As the recipient would read it, with everything hidden that the redaction hides. */
  readonly text: string;
  /** Only its beginning is shared. */
  readonly isCut: boolean;
}

/** Exactly what a recipient would see, and the free texts the sender decides on one by one. */
export interface SharePreview {
  readonly report: UserReportDocument;
  /** At most `SHARED_TEXTS_MAX`; those beyond are left out of what is shared. */
  readonly texts: readonly SharedText[];
  readonly textsTotal: number;
  /** Of the first ones, those that could not be searched in time for what must be hidden. */
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
  /** The temporary access by which it was made, and with which it ends. */
  readonly bond: ElevationBond | null;
}

/** The link itself is shown when it is made, and again by renewing it; renewing an ended share makes a new one. */
export interface ReportShareLink extends ReportShare {
  readonly url: string;
}
