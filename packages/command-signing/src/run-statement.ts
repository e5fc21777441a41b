import { z } from 'zod';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const phaseCounts = z.object({ preCheck: z.int().nonnegative(), verify: z.int().nonnegative() });

/** A file that a run may install, by its content. */
const signedSoftwareSchema = z.object({
  component: z.string(),
  version: z.string(),
  sha256,
  bytes: z.int().nonnegative(),
});

/** What a device does, as far as it is the same for every device of a run. */
export const runInstructionsSchema = z.object({
  document: z.object({ name: z.string(), version: z.int().positive(), sha256 }),
  /** What the document runs by `aws:runDocument`: digest by the reference of the step. */
  documents: z.record(z.string(), sha256),
  /** Of the parameters and the values of the parameter store, blinded. */
  parameters: sha256,
  phases: phaseCounts,
  isUndo: z.boolean(),
  holder: z.string().nullable(),
  executionTimeoutSeconds: z.int().positive(),
  software: z.array(signedSoftwareSchema).max(200),
});

/** What is signed, once for a run. */
export const runStatementSchema = z.object({
  runId: z.uuid(),
  command: z.string(),
  /** The run that it takes back. */
  undoes: z.uuid().nullable(),
  authorizedBy: z.object({ id: z.string(), name: z.string() }),
  authorizedAt: z.iso.datetime(),
  /** Of the whole document version, its undo and verify steps included: what a later undo is compared with. */
  documentDigest: sha256.optional(),
  /** How it was spread over its devices: what a repetition is compared with. */
  limits: z
    .object({ maxConcurrency: z.string(), maxErrors: z.string(), timeoutSeconds: z.int() })
    .optional(),
  /** Not begun by then: not to be begun. */
  deliverBefore: z.iso.datetime(),
  targets: z.object({ count: z.int().positive(), root: sha256 }),
  instructions: runInstructionsSchema,
});

export type SignedSoftware = z.infer<typeof signedSoftwareSchema>;
export type RunInstructions = z.infer<typeof runInstructionsSchema>;
export type RunStatement = z.infer<typeof runStatementSchema>;
