import { z } from 'zod';

const auditKeySchema = z.object({
  /** Ed25519, SPKI in DER. */
  publicKey: z.base64(),
  since: z.iso.datetime(),
  endorsement: z.object({ by: z.string(), signature: z.base64() }).optional(),
});

/**
 * A backup is a gzipped stream of lines, encrypted in the age format: this header, then the files, then for each table a
 * line that names it, its rows in PostgreSQL's COPY text format, and `\.`. A line says that nothing was cut off, and the
 * last one signs all before it.
 */
export const backupHeaderSchema = z.object({
  format: z.literal('device-portal-backup'),
  /** 2 has pieces of large files; 3 is signed, and has no key that seals the audit trail. */
  version: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  createdAt: z.iso.datetime(),
  /** Newest migration of the database, as drizzle counts them. */
  migration: z.number(),
  /** Newest migration of each other package with tables in it, by the name of the package. */
  steps: z.record(z.string(), z.string()).default({}),
  /** Next values of sequences, by qualified name. */
  sequences: z.record(z.string(), z.number()),
  /** Whose seals the audit trail carries, the newest first: the public keys alone. */
  auditKeys: z.array(auditKeySchema).default([]),
});

/** Files beside the database without which devices could not connect and nothing sealed could be opened. */
export const KEPT_FOLDERS = ['certificates', 'keys'] as const;

/** Stores of files that rows lead to: what devices install, what commands collected, old months of the audit trail. */
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
    /** Where in the file it belongs; the pieces of a file come in order. */
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

/** What the key of the audit trail signs: a text of this kind is no block and no proof. */
export const signedBytes = (sha256: string): Buffer =>
  Buffer.from(`device portal backup\n${sha256}\n`);

export type BackupHeader = z.infer<typeof backupHeaderSchema>;
export type BackupEntry = z.infer<typeof backupEntrySchema>;

/** How COPY ends the rows of a table; no row can look like it. */
export const END_OF_ROWS = '\\.';
