import { z } from 'zod';
import type { AuditKey } from './audit-block.ts';
import { fromBase64Url, toHex, type Sha256 } from './hashing.ts';
import { auditKeySchema } from './proof-lines.ts';

const KEY_BYTES = 32;
const ID_DIGITS = 16;

/** A list of keys, or a checkpoint: what it says of a block is not looked at. */
const keysFileSchema = z
  .union([z.array(auditKeySchema), z.object({ keys: z.array(auditKeySchema) })])
  .transform((value) => (Array.isArray(value) ? value : value.keys))
  .refine((keys) => keys.length > 0);

/**
 * Audit keys from the text of a file that was kept elsewhere; null where it has none. A key is known by what it is: the
 * id that the file gives it does not count.
 */
export function parseKeysFile(text: string, sha256: Sha256): AuditKey[] | null {
  try {
    const keys = keysFileSchema.parse(JSON.parse(text));
    return keys.map((key) => ({ ...key, id: auditKeyId(sha256, rawOf(key)) }));
  } catch {
    return null;
  }
}

/** A key is called by the beginning of its hash, so that none can take the name of another. */
export function auditKeyId(sha256: Sha256, publicKey: Uint8Array): string {
  return toHex(sha256(publicKey)).slice(0, ID_DIGITS);
}

function rawOf({ publicKey }: Pick<AuditKey, 'publicKey'>): Uint8Array {
  const raw = fromBase64Url(publicKey);
  if (raw.byteLength !== KEY_BYTES) throw new RangeError('no Ed25519 key');
  return raw;
}
