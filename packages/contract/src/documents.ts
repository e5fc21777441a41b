import { z } from 'zod';
import { cursorSchema, pageSizeSchema, type Timestamp } from './pages.ts';
import { consequences, type Consequence } from './permissions.ts';
import type { DocumentParameter, DocumentStep } from './ssm-document.ts';
import type { DocumentState } from './states.ts';
import { labelsSchema } from './ids.ts';

/** Decisions, section 3: a document's id is its name. */
export const documentNameSchema = z.string().regex(/^[a-zA-Z0-9_.-]{3,128}$/);

export const listDocumentsInput = z.object({
  text: z.string().trim().max(200).default(''),
  states: z.array(z.string()).default([]),
  consequences: z.array(z.string()).default([]),
  sort: z.enum(['name', 'updatedAt']).default('name'),
  descending: z.boolean().default(false),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

export interface DocumentRow {
  readonly name: string;
  readonly description: string;
  readonly state: DocumentState;
  readonly defaultVersion: number;
  readonly latestVersion: number;
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
  readonly sha256: string;
  readonly note: string;
  readonly createdBy: string;
  readonly createdAt: Timestamp;
  readonly isDefault: boolean;
}

export interface DocumentDetail extends DocumentRow {
  readonly versions: readonly DocumentVersionRow[];
}

export interface DocumentVersionDetail extends DocumentVersionRow {
  readonly documentName: string;
  readonly format: 'JSON' | 'YAML';
  /** Exactly as it was written. */
  readonly content: string;
  readonly parameters: Readonly<Record<string, DocumentParameter>>;
  readonly steps: readonly DocumentStep[];
}

/** One thing wrong with a document's text, pointing at the line. Lines and columns from 1. */
export interface DocumentProblem {
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
}

export const validateDocumentInput = z.object({ content: z.string().max(256 * 1024) });

export interface DocumentValidation {
  readonly valid: boolean;
  readonly format: 'JSON' | 'YAML';
  readonly problems: readonly DocumentProblem[];
  readonly parameters: Readonly<Record<string, DocumentParameter>>;
  readonly steps: readonly DocumentStep[];
}

export const createDocumentInput = z.object({
  name: documentNameSchema,
  description: z.string().trim().max(500).default(''),
  consequence: z.enum(consequences),
  secretParameters: z.array(z.string()).default([]),
  labels: labelsSchema.default({}),
  content: z.string().max(256 * 1024),
  note: z.string().trim().max(500).default(''),
});

export const addDocumentVersionInput = z.object({
  name: documentNameSchema,
  /** The version it was edited from: a newer one in between is a conflict, told as 2004. */
  basedOn: z.int().positive(),
  content: z.string().max(256 * 1024),
  note: z.string().trim().max(500).default(''),
  makeDefault: z.boolean().default(false),
});

export const documentVersionInput = z.object({
  name: documentNameSchema,
  /** Absent: the default version. */
  version: z.int().positive().nullable().default(null),
});

export const documentReferenceInput = z.object({ name: documentNameSchema });

export const setDefaultVersionInput = z.object({
  name: documentNameSchema,
  version: z.int().positive(),
});

/** The text of one version as a file. */
export interface ExportedDocument {
  readonly fileName: string;
  readonly mediaType: 'application/json' | 'application/yaml';
  readonly content: string;
  readonly sha256: string;
}
