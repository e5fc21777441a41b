import { hash } from 'node:crypto';
import type { PublishedKey } from '@deviceportal/device-protocol/messages';
import { isSignature, type TrustedKey } from './signed-statement.ts';

/** A key of a ring, as the server keeps it. */
export interface RingKey extends TrustedKey {
  readonly endorsement?: { readonly by: string; readonly signature: Uint8Array } | undefined;
}

/** SHA-256 of the public key (SPKI, DER), base64url: no key can take the name of another. */
export const keyIdOf = (publicKey: Uint8Array): string => hash('sha256', publicKey, 'base64url');

/** What the key before signs when a ring goes over to the next key; the ring's name keeps rings apart. */
export function endorsedBytes(ring: string, publicKey: Uint8Array): Uint8Array {
  return Buffer.from(`device portal key endorsement\n${ring}\n${keyIdOf(publicKey)}\n`);
}

export function publishKeys(keys: readonly RingKey[]): PublishedKey[] {
  return keys.map(({ publicKey, endorsement }) => ({
    publicKey: Buffer.from(publicKey).toString('base64'),
    endorsement:
      endorsement === undefined
        ? null
        : {
            by: endorsement.by,
            signature: Buffer.from(endorsement.signature).toString('base64'),
          },
  }));
}

/** A key that is pinned: base64 of SPKI in DER. */
export function trustedKeyOf(publicKey: string): TrustedKey {
  const bytes = Buffer.from(publicKey, 'base64');
  return { keyId: keyIdOf(bytes), publicKey: bytes };
}

/**
 * The keys to pin after a ring was announced. Who has pinned nothing yet pins what is announced (trust on first use).
 * Afterwards a key counts only where a key that is pinned endorsed it, directly or over keys between them.
 *
 * @param ring the name that the endorsements must carry
 * @param pinned base64 of SPKI in DER
 * @returns the pinned keys and those that are new, in that order; the same array where nothing is new
 */
export function extendTrust(
  ring: string,
  pinned: readonly string[],
  announced: readonly PublishedKey[],
): readonly string[] {
  if (pinned.length === 0) return announced.map(({ publicKey }) => publicKey);
  const trusted = pinned.map(trustedKeyOf);
  const added: string[] = [];
  for (let before = -1; before < added.length;) {
    before = added.length;
    for (const key of announced) {
      const candidate = trustedKeyOf(key.publicKey);
      if (trusted.some(({ keyId }) => keyId === candidate.keyId)) continue;
      if (!isEndorsed(ring, key, trusted)) continue;
      trusted.push(candidate);
      added.push(key.publicKey);
    }
  }
  return added.length === 0 ? pinned : [...pinned, ...added];
}

function isEndorsed(
  ring: string,
  { publicKey, endorsement }: PublishedKey,
  trusted: readonly TrustedKey[],
): boolean {
  const by = trusted.find(({ keyId }) => keyId === endorsement?.by);
  if (by === undefined || endorsement === null) return false;
  const message = endorsedBytes(ring, Buffer.from(publicKey, 'base64'));
  return isSignature(by.publicKey, message, Buffer.from(endorsement.signature, 'base64'));
}
