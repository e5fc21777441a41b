import { z } from 'zod';
import type { SignedStatement } from '@deviceportal/device-protocol/messages';

export const MOST_KEYS = 64;

/**
 * The set of trusted keys of a ring, signed by its signing key. Each new set has a higher number.
 */
const keySetSchema = z.object({
  ring: z.string(),
  sequence: z.int().positive(),
  /** Key ids. */
  trusted: z.array(z.string()).min(1).max(MOST_KEYS),
  /** Never trusted again, regardless of endorsements. */
  withdrawn: z.array(z.string()).max(MOST_KEYS),
  issuedAt: z.iso.datetime(),
});
export type KeySet = z.infer<typeof keySetSchema>;

/** Null if it is not a key set of this ring. The caller must verify the signature. */
export function readKeySet({ payload }: SignedStatement, ring: string): KeySet | null {
  try {
    const parsed = keySetSchema.safeParse(JSON.parse(payload));
    return parsed.data?.ring === ring ? parsed.data : null;
  } catch {
    return null;
  }
}
