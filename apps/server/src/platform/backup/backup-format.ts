import { z } from 'zod';

/**
 * A backup is a gzipped stream of lines: this header, then the files, then for each table a line that names it, its rows
 * in PostgreSQL's COPY text format, and `\.`. The last line says that nothing was cut off.
 */
export const backupHeaderSchema = z.object({
  format: z.literal('device-portal-backup'),
  /** 2 has pieces of large files. */
  version: z.union([z.literal(1), z.literal(2)]),
  createdAt: z.iso.datetime(),
  /** Newest migration of the database, as drizzle counts them. */
  migration: z.number(),
  /** Next values of sequences, by qualified name. */
  sequences: z.record(z.string(), z.number()),
});

/** Relative to the data folder. */
const pathSchema = z.string().regex(/^(?!.*\.\.)[\w.-]+(\/[\w.-]+)*$/);

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
]);

export type BackupHeader = z.infer<typeof backupHeaderSchema>;
export type BackupEntry = z.infer<typeof backupEntrySchema>;

/** How COPY ends the rows of a table; no row can look like it. */
export const END_OF_ROWS = '\\.';

/** Files beside the database without which devices could not connect any more: the certificate authority. */
export const KEPT_FOLDERS = ['certificates', 'keys'] as const;

/** Stores of files that rows lead to: what devices install, what commands collected, old months of the audit trail. */
export const CONTENT_FOLDERS = ['software', 'artefacts', 'audit-trail'] as const;
