import { z } from 'zod';
import type { SignedStatement } from '@deviceportal/device-protocol/messages';

export const MOST_KEYS = 64;

/** Which keys of a ring devices trust from now on, signed by the one that signs; each set has a higher number. */
const keySetSchema = z.object({
  ring: z.string(),
  sequence: z.int().positive(),
  /** Key ids. */
  trusted: z.array(z.string()).min(1).max(MOST_KEYS),
  /** Never trusted again, whoever endorsed them. */
  withdrawn: z.array(z.string()).max(MOST_KEYS),
  issuedAt: z.iso.datetime(),
});
export type KeySet = z.infer<typeof keySetSchema>;

/** Null for what is no set of this ring. Its signature is the caller's business. */
export function readKeySet({ payload }: SignedStatement, ring: string): KeySet | null {
  try {
    const parsed = keySetSchema.safeParse(JSON.parse(payload));
    return parsed.data?.ring === ring ? parsed.data : null;
  } catch {
    return null;
  }
}
