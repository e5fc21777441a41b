import { z } from 'zod';
import type { AuditKey } from './audit-block.ts';
import { fromBase64Url, toHex, type Sha256 } from './hashing.ts';
import { auditKeySchema } from './proof-lines.ts';

const KEY_BYTES = 32;
const ID_DIGITS = 16;

/** A key list or a checkpoint. The block of a checkpoint is ignored. */
const keysFileSchema = z
  .union([z.array(auditKeySchema), z.object({ keys: z.array(auditKeySchema) })])
  .transform((value) => (Array.isArray(value) ? value : value.keys))
  .refine((keys) => keys.length > 0);

/**
 * Audit keys from an externally stored file; null if there are none. A key is identified by its
 * content, not by the ID in the file.
 */
export function parseKeysFile(text: string, sha256: Sha256): AuditKey[] | null {
  try {
    const keys = keysFileSchema.parse(JSON.parse(text));
    return keys.map((key) => ({ ...key, id: auditKeyId(sha256, rawOf(key)) }));
  } catch {
    return null;
  }
}

/** The ID of a key is a prefix of its hash, so that a key cannot use the ID of another. */
export function auditKeyId(sha256: Sha256, publicKey: Uint8Array): string {
  return toHex(sha256(publicKey)).slice(0, ID_DIGITS);
}

function rawOf({ publicKey }: Pick<AuditKey, 'publicKey'>): Uint8Array {
  const raw = fromBase64Url(publicKey);
  if (raw.byteLength !== KEY_BYTES) throw new RangeError('not an Ed25519 key');
  return raw;
}
