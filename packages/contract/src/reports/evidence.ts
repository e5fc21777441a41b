import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { reportLanguages, reportPapers } from './report-options.ts';

/** What evidence can be exported about. */
export const evidenceKinds = ['invocation', 'run', 'case', 'air-blast'] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

const language = z.enum(reportLanguages).default('en');

export const evidenceReportInput = z.object({
  id: idSchema,
  language,
  paper: z.enum(reportPapers).default('a4'),
});
export const evidenceProofInput = z.object({ kind: z.enum(evidenceKinds), id: idSchema, language });

export interface EvidenceFile {
  /** A signed URL for the user, valid for an hour. */
  readonly downloadUrl: string;
  readonly fileName: string;
  readonly sha256: string;
}

/** Maximum number of events in a proof. */
export const EVIDENCE_EVENTS_MAX = 20_000;
