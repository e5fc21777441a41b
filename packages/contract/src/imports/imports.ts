import { z } from 'zod';
import { MAX_CLAIM_LIFETIME_HOURS } from '../constants.ts';
import type { CreatedClaim } from '../devices/devices.ts';
import { idSchema } from '../ids.ts';
import { cursorSchema, pageSizeSchema, type Page, type Timestamp } from '../pages.ts';
import type { RefusalReason } from '../refusals/refusals.ts';

/** What a file can contain. */
export const importKinds = ['devices', 'people'] as const;
export type ImportKind = (typeof importKinds)[number];

/** Columns by kind; the first identifies a row. */
export const importColumnsOf = {
  devices: ['serialNumber', 'name', 'model', 'ownerEmail', 'country', 'labels'],
  people: ['username', 'name', 'email', 'phone', 'country', 'language'],
} as const satisfies Readonly<Record<ImportKind, readonly string[]>>;
export type ImportColumn = (typeof importColumnsOf)[ImportKind][number];

export const IMPORT_FILE_BYTES = 50_000_000;
export const IMPORT_ROWS = 100_000;
export const IMPORT_ROW_BYTES = 65_536;
/** A file that is not confirmed is deleted after this time; a confirmed import can be undone for it. */
export const IMPORT_HOURS = 24;

export const importEncodings = ['unicode', 'gb18030', 'windows-1252'] as const;
/** `unicode`: UTF-8, or UTF-16 with a byte order mark. */
export type ImportEncoding = (typeof importEncodings)[number];

/** In order: a file is uploaded, checked, confirmed, applied, and undone. `rejected`: it cannot be read. */
export const importStates = [
  'uploading',
  'checking',
  'ready',
  'applying',
  'applied',
  'undoing',
  'undone',
  'rejected',
  'discarded',
] as const;
export type ImportState = (typeof importStates)[number];

/** States in which `imports.advance` continues. */
export const advancingStates = ['checking', 'applying', 'undoing'] as const;

export const importOutcomes = ['refused', 'changed', 'new', 'unchanged'] as const;
export type ImportOutcome = (typeof importOutcomes)[number];

export const createImportInput = z.object({
  kind: z.enum(importKinds),
  fileName: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^[^\p{Cc}\p{Cf}]*$/u, 'must not contain invisible characters'),
  encoding: z.enum(importEncodings).default('unicode'),
});

export const importReference = z.object({ id: idSchema });

export const listImportsInput = z.object({ pageSize: pageSizeSchema, cursor: cursorSchema });

export const listImportRowsInput = z.object({
  id: idSchema,
  /** `left`: rows that undoing did not change. Null for all rows, refused ones first. */
  show: z
    .enum([...importOutcomes, 'left'])
    .nullable()
    .default(null),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

export const createImportClaimInput = z.object({
  id: idSchema,
  lifetimeHours: z.int().min(1).max(MAX_CLAIM_LIFETIME_HOURS),
});
export type ImportClaim = CreatedClaim;

/** Numbers of rows. */
export interface ImportCounts {
  readonly rows: number;
  /** Rows that the preview has checked. */
  readonly checked: number;
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: number;
  /** New and changed rows that are applied. */
  readonly applied: number;
  readonly undone: number;
  /** Applied rows that undoing did not change. */
  readonly left: number;
}

export interface ImportProblem {
  readonly column: ImportColumn | null;
  readonly reason: RefusalReason;
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
  /** In English. */
  readonly message: string;
}

export interface ImportDetail {
  readonly id: string;
  readonly kind: ImportKind;
  readonly state: ImportState;
  readonly fileName: string;
  readonly counts: ImportCounts;
  /** Headers of the file that are no column of an import. */
  readonly ignoredColumns: readonly string[];
  /** Why the file was rejected, with its line. */
  readonly problem: (ImportProblem & { readonly line: number | null }) | null;
  readonly createdAt: Timestamp;
  readonly confirmedAt: Timestamp | null;
  readonly endedAt: Timestamp | null;
  /** Until when it can be undone, or an unconfirmed file is kept. */
  readonly keptUntil: Timestamp;
  readonly canUndo: boolean;
  /** Whether a claim for its new devices was created. */
  readonly hasClaim: boolean;
}

export interface CreatedImport {
  readonly id: string;
  /** Send the file there with `PUT`, within 15 minutes and once. */
  readonly uploadUrl: string;
}

export interface ImportRow {
  /** Line of the file, from 1. A cell with line breaks counts as its last line. In JSON: the item, from 1. */
  readonly line: number;
  readonly outcome: ImportOutcome;
  readonly state: 'waiting' | 'applied' | 'undone' | 'left';
  /** Serial number or username; null if it cannot be read. */
  readonly key: string | null;
  /** The created or changed device or person. */
  readonly targetId: string | null;
  /** Values that the import changes. */
  readonly changes: readonly {
    readonly column: ImportColumn;
    readonly before: string | null;
    readonly after: string | null;
  }[];
  /** Why it is refused, or why undoing left it. */
  readonly problem: ImportProblem | null;
}

export type ImportPage = Page<ImportDetail>;
export type ImportRowPage = Page<ImportRow>;
