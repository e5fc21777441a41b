import { z } from 'zod';
import { base64UrlSchema } from './base64-url.ts';

/**
 * A proof is a file of JSON lines: the export, one line per block with its exported events, and a
 * last line that signs all previous lines. It can be verified without any other file.
 */
export const PROOF_FORMAT = 'device-portal-audit-proof';

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);

export const auditKeySchema = z.object({
  id: z.string(),
  publicKey: base64UrlSchema,
  since: z.string(),
  endorsement: z.object({ by: z.string(), signature: base64UrlSchema }).optional(),
  lastBlock: z.object({ number: z.int().positive(), hash: hashSchema }).optional(),
});

export const auditBlockSchema = z.object({
  number: z.int().positive(),
  firstSequence: z.int().positive(),
  count: z.int().positive().max(100_000),
  root: hashSchema,
  previousHash: hashSchema,
  hash: hashSchema,
  sealedAt: z.string(),
  keyId: z.string(),
  signature: base64UrlSchema,
});

/** Other fields of a manifest are only informative. */
const manifestSchema = z.looseObject({
  file: z.string(),
  sha256: hashSchema,
  count: z.int().nonnegative(),
  createdAt: z.string(),
});

const unprovenSchema = z.object({
  /**
   * Events exported with names or numbers omitted, because the exporter cannot see the sealed
   * values.
   */
  masked: z.int().nonnegative(),
  /** Events recorded too shortly before the export to be sealed. */
  unsealed: z.int().nonnegative(),
});

export const proofLineSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('export'),
    format: z.literal(PROOF_FORMAT),
    version: z.literal(1),
    manifest: manifestSchema,
    /** SHA-256 of the manifest file. Absent from proofs of earlier versions. */
    manifestSha256: hashSchema.optional(),
    keys: z.array(auditKeySchema).min(1),
  }),
  z.object({
    kind: z.literal('block'),
    block: auditBlockSchema,
    /** Position within the block, and the record. */
    events: z.array(z.tuple([z.int().nonnegative(), z.array(z.string().nullable())])).min(1),
    path: z.array(hashSchema),
  }),
  z.object({
    kind: z.literal('end'),
    blocks: z.int().nonnegative(),
    events: z.int().nonnegative(),
    unproven: unprovenSchema,
    /** SHA-256 of all previous lines, each with its line feed, and `endText`. */
    sha256: hashSchema,
    keyId: z.string(),
    /** Ed25519 over the 32 bytes of the hash. */
    signature: base64UrlSchema,
  }),
]);

/** The numbers of the last line, which are covered by its signature. */
export function endText(end: {
  readonly blocks: number;
  readonly events: number;
  readonly unproven: UnprovenEvents;
}): string {
  const { masked, unsealed } = end.unproven;
  return JSON.stringify([end.blocks, end.events, masked, unsealed]);
}

export type ProofLine = z.infer<typeof proofLineSchema>;
export type ProofManifest = z.infer<typeof manifestSchema>;
export type UnprovenEvents = z.infer<typeof unprovenSchema>;
