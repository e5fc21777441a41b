import { z } from 'zod';
import { cursorSchema, pageSizeSchema, type Timestamp } from '../pages.ts';
import { consequences, type Consequence } from '../access/permissions.ts';
import type { DocumentPhases } from './document-phases.ts';
import type { DocumentParameter, DocumentStep } from './ssm-document.ts';
import type { DocumentState } from '../states.ts';
import { labelsSchema } from '../ids.ts';
import { versionNumberSchema } from '../versions/version-number.ts';
import type { IssueKind } from '../refusals/field-issue.ts';

/** docs/design/decisions.md, section 3: a document's id is its name. */
export const documentNameSchema = z.string().regex(/^[a-zA-Z0-9_.-]{3,128}$/);

export const listDocumentsInput = z.object({
  text: z.string().trim().max(200).default(''),
  states: z.array(z.string().max(32)).max(20).default([]),
  consequences: z.array(z.string().max(32)).max(20).default([]),
  /** Only documents with a version in review that the viewer may approve: with the right to, and not by themselves. */
  waitingForMe: z.boolean().default(false),
  sort: z.enum(['name', 'updatedAt']).default('name'),
  descending: z.boolean().default(false),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

export interface DocumentRow {
  readonly name: string;
  readonly description: string;
  /** `active` as soon as one version was approved; before that `review` or `draft`, as its versions are. */
  readonly state: DocumentState;
  /** Always an active version; null until one was approved. */
  readonly defaultVersion: number | null;
  readonly latestVersion: number;
  /** The version that waits for a second person; at most one at a time. */
  readonly versionInReview: number | null;
  /** Of the default version; of the latest while there is none. */
  readonly consequence: Consequence;
  /** Catalogue commands bound to it. */
  readonly commands: readonly string[];
  readonly platforms: readonly string[];
  readonly parameterCount: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly builtin: boolean;
  readonly lastUsedAt: Timestamp | null;
  /** Of finished invocations in the last 30 days; null without any. */
  readonly successRate: number | null;
  readonly updatedAt: Timestamp;
  readonly updatedBy: string;
}

export interface DocumentVersionRow {
  readonly version: number;
  readonly state: DocumentState;
  readonly sha256: string;
  readonly note: string;
  readonly createdBy: string;
  readonly createdAt: Timestamp;
  /** Whether the viewer wrote it, and so may not approve it. */
  readonly own: boolean;
  readonly isDefault: boolean;
  /** What SSM does not know; it belongs to the version, for it is reviewed with the text. */
  readonly consequence: Consequence;
  readonly secretParameters: readonly string[];
  /** Who sent it for review last; null where nobody did. */
  readonly submittedBy: string | null;
  readonly submittedAt: Timestamp | null;
  /** The latest decision about it. */
  readonly review: DocumentReview | null;
}

export interface DocumentReview {
  readonly decision: 'approved' | 'rejected';
  readonly by: string;
  readonly at: Timestamp;
  readonly comment: string;
}

export interface DocumentDetail extends DocumentRow {
  /** Newest first. */
  readonly versions: readonly DocumentVersionRow[];
  /** Names of the roles that may approve. */
  readonly approverRoles: readonly string[];
}

export interface DocumentVersionDetail extends DocumentVersionRow {
  readonly documentName: string;
  readonly format: 'JSON' | 'YAML';
  /** Exactly as it was written. */
  readonly content: string;
  /** Pre-check, verify and undo as they were written; empty where there are none. */
  readonly phasesText: string;
  readonly parameters: Readonly<Record<string, DocumentParameter>>;
  readonly steps: readonly DocumentStep[];
  readonly phases: DocumentPhases;
}

/** One thing wrong with a document's text, pointing at the line. Lines and columns from 1. */
export interface DocumentProblem {
  /** Which of the two texts. */
  readonly part: 'content' | 'phases';
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
  /** What is wrong, for programs; absent where only the sentence says it. */
  readonly kind?: IssueKind;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** JSON or YAML: `preCheck`, `verify` and `undo`, each a list of steps. Empty: none of them. */
const phasesTextSchema = z
  .string()
  .max(256 * 1024)
  .transform((text) => (text.trim() === '' ? '' : text));

export const validateDocumentInput = z.object({
  content: z.string().max(256 * 1024),
  phasesText: phasesTextSchema.default(''),
});

export interface DocumentValidation {
  readonly valid: boolean;
  readonly format: 'JSON' | 'YAML';
  readonly problems: readonly DocumentProblem[];
  readonly parameters: Readonly<Record<string, DocumentParameter>>;
  readonly steps: readonly DocumentStep[];
  readonly phases: DocumentPhases;
}

export const createDocumentInput = z.object({
  name: documentNameSchema,
  description: z.string().trim().max(500).default(''),
  consequence: z.enum(consequences),
  secretParameters: z.array(z.string()).default([]),
  labels: labelsSchema.default({}),
  content: z.string().max(256 * 1024),
  phasesText: phasesTextSchema.default(''),
  note: z.string().trim().max(500).default(''),
});

export const addDocumentVersionInput = z.object({
  name: documentNameSchema,
  /** The version it was edited from: a newer one in between is a conflict, told as 2004. */
  basedOn: versionNumberSchema,
  content: z.string().max(256 * 1024),
  note: z.string().trim().max(500).default(''),
  /** Absent: as in the version it was edited from. */
  consequence: z.enum(consequences).optional(),
  secretParameters: z.array(z.string()).optional(),
  phasesText: phasesTextSchema.optional(),
});

export const documentVersionInput = z.object({
  name: documentNameSchema,
  /** Absent: the default version. */
  version: versionNumberSchema.nullable().default(null),
});

export const documentReferenceInput = z.object({ name: documentNameSchema });

export const oneVersionInput = z.object({
  name: documentNameSchema,
  version: versionNumberSchema,
});

export const approveVersionInput = oneVersionInput.extend({
  makeDefault: z.boolean().default(true),
  comment: z.string().trim().max(500).default(''),
});

export const rejectVersionInput = oneVersionInput.extend({
  /** What has to change: without it the author would have to guess. */
  comment: z.string().trim().min(1).max(500),
});

export const deprecateDocumentInput = z.object({
  name: documentNameSchema,
  /** Null: the document with all its versions. */
  version: versionNumberSchema.nullable().default(null),
});

export const exportDocumentInput = documentVersionInput.extend({
  /** Null: exactly as it was written. `PORTAL`: with everything that stands beside the text, for another portal. */
  format: z.enum(['JSON', 'YAML', 'PORTAL']).nullable().default(null),
});

/**
 * What a file for another portal says besides Name, DocumentType, DocumentFormat and Content, which it has as
 * `aws ssm create-document --cli-input-json` does; there under `DevicePortal`.
 */
export const besideTextSchema = z.object({
  consequence: z.enum(consequences),
  secretParameters: z.array(z.string()),
  phasesText: phasesTextSchema,
});
export type BesideText = z.infer<typeof besideTextSchema>;

/** The text of one version as a file that SSM's CreateDocument takes as its content. */
export interface ExportedDocument {
  readonly fileName: string;
  readonly mediaType: 'application/json' | 'application/yaml';
  readonly content: string;
  /** Of this file. */
  readonly sha256: string;
  /** Inputs that our agent knows and SSM does not, as paths: `mainSteps.0.inputs.sha256`. */
  readonly beyondSsm: readonly string[];
}
