import { z } from 'zod';
import { writtenKeySchema } from '../secrets/written-key.ts';

/**
 * A backup is a gzipped stream of lines, encrypted in the age format: this header, the files, and
 * for each table a line with its name, its rows in PostgreSQL's COPY text format, and `\.`. A final
 * line marks the end and signs all previous lines.
 */
export const backupHeaderSchema = z.object({
  format: z.literal('device-portal-backup'),
  /**
   * 2 splits large files into parts; 3 is signed and does not contain the key that seals the audit
   * trail.
   */
  version: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  createdAt: z.iso.datetime(),
  /** Newest migration of the database, as numbered by drizzle. */
  migration: z.number(),
  /** Newest migration of each other package with tables, by package name. */
  steps: z.record(z.string(), z.string()).default({}),
  /** Next values of sequences, by qualified name. */
  sequences: z.record(z.string(), z.number()),
  /** Public keys that sealed the audit trail, newest first. */
  auditKeys: z.array(writtenKeySchema).default([]),
});

/**
 * Files outside the database that are required for devices to connect and for sealed data to be
 * decrypted.
 */
export const KEPT_FOLDERS = ['certificates', 'keys'] as const;

/** Files that rows refer to: software, collected files, and archived months of the audit trail. */
export const CONTENT_FOLDERS = ['software', 'artefacts', 'audit-trail'] as const;

/** Relative to the data folder. */
const pathSchema = z
  .string()
  .regex(/^(?!.*\.\.)[\w.-]+(\/[\w.-]+)+$/)
  .refine((path) =>
    [...KEPT_FOLDERS, ...CONTENT_FOLDERS].some((each) => path.startsWith(`${each}/`)),
  );

export const backupEntrySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    path: pathSchema,
    content: z.base64(),
  }),
  z.object({
    kind: z.literal('piece'),
    path: pathSchema,
    /** Offset in the file. The parts of a file are in order. */
    at: z.int().nonnegative(),
    content: z.base64(),
  }),
  z.object({ kind: z.literal('table'), name: z.string(), columns: z.array(z.string()) }),
  z.object({ kind: z.literal('end'), tables: z.number() }),
  z.object({
    kind: z.literal('signature'),
    /** SHA-256 of the key that seals the audit trail (SPKI, DER), base64url. */
    keyId: z.string(),
    /** Ed25519 over `signedBytes` of everything before this line. */
    signature: z.base64(),
  }),
]);

/** The text that the audit key signs. It is distinct from the texts of blocks and proofs. */
export const signedBytes = (sha256: string): Buffer =>
  Buffer.from(`device portal backup\n${sha256}\n`);

export type BackupHeader = z.infer<typeof backupHeaderSchema>;
export type BackupEntry = z.infer<typeof backupEntrySchema>;

/** End of the rows of a table in COPY format, which no row can equal. */
export const END_OF_ROWS = '\\.';
