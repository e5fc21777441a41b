import { createPublicKey, verify } from 'node:crypto';
import { endorsedBytes, type VerifyingKey } from './signing-key.ts';

/**
 * The trusted keys of a ring: the pinned ones, and all keys that a trusted key endorsed.
 *
 * @param isPinned whether a key is known from another source
 */
export function followEndorsements(
  ring: string,
  candidates: readonly VerifyingKey[],
  isPinned: (key: VerifyingKey) => boolean,
): readonly VerifyingKey[] {
  const trusted = new Map<string, VerifyingKey>();
  const isTrusted = (key: VerifyingKey): boolean =>
    isPinned(key) || isEndorsed(ring, key, trusted.get(key.endorsement?.by ?? ''));
  for (let before = -1; before < trusted.size;) {
    before = trusted.size;
    for (const key of candidates) if (isTrusted(key)) trusted.set(key.keyId, key);
  }
  return [...trusted.values()];
}

function isEndorsed(
  ring: string,
  { publicKey, endorsement }: VerifyingKey,
  by: VerifyingKey | undefined,
): boolean {
  if (endorsement === undefined || by === undefined) return false;
  const key = createPublicKey({ key: Buffer.from(by.publicKey), format: 'der', type: 'spki' });
  return verify(null, endorsedBytes(ring, publicKey), key, endorsement.signature);
}
