import { z } from 'zod';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const phaseCounts = z.object({ preCheck: z.int().nonnegative(), verify: z.int().nonnegative() });

/** A file that a run can install, identified by its content. */
const signedSoftwareSchema = z.object({
  component: z.string(),
  version: z.string(),
  sha256,
  bytes: z.int().nonnegative(),
});

/** The instructions of a run, which are the same for all its devices. */
export const runInstructionsSchema = z.object({
  document: z.object({ name: z.string(), version: z.int().positive(), sha256 }),
  /** Digests of the documents that are run by `aws:runDocument`, by the reference of the step. */
  documents: z.record(z.string(), sha256),
  /** Digest of the parameters and the values of the parameter store, blinded. */
  parameters: sha256,
  phases: phaseCounts,
  isUndo: z.boolean(),
  holder: z.string().nullable(),
  executionTimeoutSeconds: z.int().positive(),
  software: z.array(signedSoftwareSchema).max(200),
});

/** The signed statement; one per run. */
export const runStatementSchema = z.object({
  runId: z.uuid(),
  command: z.string(),
  /** The run that it undoes. */
  undoes: z.uuid().nullable(),
  authorizedBy: z.object({ id: z.string(), name: z.string() }),
  authorizedAt: z.iso.datetime(),
  /**
   * Digest of the whole document version, including its undo and verification steps. Compared by a
   * later undo.
   */
  documentDigest: sha256.optional(),
  /** Concurrency and error limits. Compared by a rerun. */
  limits: z
    .object({ maxConcurrency: z.string(), maxErrors: z.string(), timeoutSeconds: z.int() })
    .optional(),
  /** Must not start after this time. */
  deliverBefore: z.iso.datetime(),
  targets: z.object({ count: z.int().positive(), root: sha256 }),
  instructions: runInstructionsSchema,
});

export type SignedSoftware = z.infer<typeof signedSoftwareSchema>;
export type RunInstructions = z.infer<typeof runInstructionsSchema>;
export type RunStatement = z.infer<typeof runStatementSchema>;
