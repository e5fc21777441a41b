import { z } from 'zod';
import { cursorSchema, pageSizeSchema, type Timestamp } from '../pages.ts';
import { consequences, type Consequence } from '../access/permissions.ts';
import type { DocumentPhases } from './document-phases.ts';
import type { DocumentParameter, DocumentStep } from './ssm-document.ts';
import type { DocumentState } from '../states.ts';
import { labelsSchema } from '../ids.ts';
import { versionNumberSchema } from '../versions/version-number.ts';
import type { IssueKind } from '../refusals/field-issue.ts';

/** docs/design/decisions.md, section 3: a document's ID is its name. */
export const documentNameSchema = z.string().regex(/^[a-zA-Z0-9_.-]{3,128}$/);

export const listDocumentsInput = z.object({
  text: z.string().trim().max(200).default(''),
  states: z.array(z.string().max(32)).max(20).default([]),
  consequences: z.array(z.string().max(32)).max(20).default([]),
  /**
   * Only documents with a version in review that the viewer can approve: with the permission, and
   * not the author.
   */
  waitingForMe: z.boolean().default(false),
  sort: z.enum(['name', 'updatedAt']).default('name'),
  descending: z.boolean().default(false),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

export interface DocumentRow {
  readonly name: string;
  readonly description: string;
  /**
   * `active` after the first approval of a version. Before that `review` or `draft`, as its
   * versions.
   */
  readonly state: DocumentState;
  /** Always an active version; null before the first approval. */
  readonly defaultVersion: number | null;
  readonly latestVersion: number;
  /** The version that is waiting for review; at most one at a time. */
  readonly versionInReview: number | null;
  /** Of the default version, or of the latest version if there is none. */
  readonly consequence: Consequence;
  /** Catalog commands that use it. */
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
  /** Whether the viewer is its author, who cannot approve it. */
  readonly own: boolean;
  readonly isDefault: boolean;
  /** Not part of SSM. It belongs to the version, because it is reviewed with the text. */
  readonly consequence: Consequence;
  readonly secretParameters: readonly string[];
  /** Who last submitted it for review; null if it was not submitted. */
  readonly submittedBy: string | null;
  readonly submittedAt: Timestamp | null;
  /** The latest decision. */
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
  /** Names of the roles that can approve. */
  readonly approverRoles: readonly string[];
}

export interface DocumentVersionDetail extends DocumentVersionRow {
  readonly documentName: string;
  readonly format: 'JSON' | 'YAML';
  /** Exactly as written. */
  readonly content: string;
  /** The pre-check, verify, and undo steps as written; empty if there are none. */
  readonly phasesText: string;
  readonly parameters: Readonly<Record<string, DocumentParameter>>;
  readonly steps: readonly DocumentStep[];
  readonly phases: DocumentPhases;
}

/** A problem in a document's text. Lines and columns start at 1. */
export interface DocumentProblem {
  /** Which of the two texts. */
  readonly part: 'content' | 'phases';
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
  /** For programs; absent if only the message describes it. */
  readonly kind?: IssueKind;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** JSON or YAML: `preCheck`, `verify`, and `undo`, each a list of steps. Empty for none. */
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
  /** The version that was edited. A newer version causes a conflict (2004). */
  basedOn: versionNumberSchema,
  content: z.string().max(256 * 1024),
  note: z.string().trim().max(500).default(''),
  /** If absent, unchanged. */
  consequence: z.enum(consequences).optional(),
  secretParameters: z.array(z.string()).optional(),
  phasesText: phasesTextSchema.optional(),
});

export const documentVersionInput = z.object({
  name: documentNameSchema,
  /** If absent, the default version. */
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
  /** Required change, so that the author knows what to do. */
  comment: z.string().trim().min(1).max(500),
});

export const deprecateDocumentInput = z.object({
  name: documentNameSchema,
  /** Null for the document with all its versions. */
  version: versionNumberSchema.nullable().default(null),
});

export const exportDocumentInput = documentVersionInput.extend({
  /**
   * Null for the exact text. `PORTAL` includes everything that is stored with the text, for import
   * into another portal.
   */
  format: z.enum(['JSON', 'YAML', 'PORTAL']).nullable().default(null),
});

/**
 * Content of an export for another portal, under `DevicePortal`, in addition to Name, DocumentType,
 * DocumentFormat, and Content, which are as in `aws ssm create-document --cli-input-json`.
 */
export const besideTextSchema = z.object({
  consequence: z.enum(consequences),
  secretParameters: z.array(z.string()),
  phasesText: phasesTextSchema,
});
export type BesideText = z.infer<typeof besideTextSchema>;

/** A version's text as a file that SSM's CreateDocument accepts. */
export interface ExportedDocument {
  readonly fileName: string;
  readonly mediaType: 'application/json' | 'application/yaml';
  readonly content: string;
  /** SHA-256 of this file. */
  readonly sha256: string;
  /** Inputs that only our agent supports, as paths: `mainSteps.0.inputs.sha256`. */
  readonly beyondSsm: readonly string[];
}
