import { hash } from 'node:crypto';
import type { KeyRingMessage, PublishedKey } from '@deviceportal/device-protocol/messages';
import { readKeySet } from './key-set.ts';
import { findSigner, isSignature, statementTypes, type TrustedKey } from './signed-statement.ts';

/** A key of a ring, as the server keeps it. */
export interface RingKey extends TrustedKey {
  readonly endorsement?: { readonly by: string; readonly signature: Uint8Array } | undefined;
}

/** What a device keeps of a ring. */
export interface Trust {
  readonly keys: readonly PinnedKey[];
  /** Of the last set of keys that it has taken; an older set is never taken again. 0 before the first. */
  readonly sequence: number;
  /** Ids of keys that are never trusted again. */
  readonly withdrawn: readonly string[];
}

export interface PinnedKey {
  /** Base64 of SPKI in DER. */
  readonly publicKey: string;
  /** Id of the key that endorsed it; null for the first. */
  readonly by: string | null;
}

export const noTrust: Trust = { keys: [], sequence: 0, withdrawn: [] };

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
export function trustedKeyOf({ publicKey }: Pick<PinnedKey, 'publicKey'>): TrustedKey {
  const bytes = Buffer.from(publicKey, 'base64');
  return { keyId: keyIdOf(bytes), publicKey: bytes };
}

/**
 * The keys to pin after a ring was announced; the same object where nothing changes.
 *
 * Who has pinned nothing yet pins what is announced (trust on first use). Afterwards a set of keys counts only where a key
 * has signed it that is pinned, or that pinned keys endorsed, directly or over keys between them; it replaces all that was
 * pinned, unless it is older than the one before, or a key would withdraw one that came after it.
 */
export function takeKeys(trust: Trust, message: KeyRingMessage): Trust {
  const { ring } = message;
  if (trust.keys.length === 0 && trust.sequence === 0) return firstTrust(trust, message);
  const announced = message.keys.filter(isNotWithdrawn(trust));
  const chain = endorsedChain(ring, trust.keys, announced);
  // A server that is older than sets of keys.
  if (message.statement === undefined) {
    const hasNews = trust.sequence === 0 && chain.length > trust.keys.length;
    return hasNews ? { ...trust, keys: chain } : trust;
  }
  const signer = findSigner(statementTypes.keySet, message.statement, chain.map(trustedKeyOf));
  const set = readKeySet(message.statement, ring);
  if (signer === undefined || set === null || set.sequence <= trust.sequence) return trust;
  if (!set.trusted.includes(signer.keyId)) return trust;
  const parents = new Map(chain.map((key) => [trustedKeyOf(key).keyId, key.by]));
  const removed = trust.keys
    .map((key) => trustedKeyOf(key).keyId)
    .filter((keyId) => !set.trusted.includes(keyId));
  if (removed.some((keyId) => descendsFrom(parents, keyId, signer.keyId))) return trust;
  return {
    keys: keysOfSet([...announced.map(pinnedOf), ...chain], set.trusted),
    sequence: set.sequence,
    withdrawn: [...new Set([...trust.withdrawn, ...set.withdrawn, ...removed])],
  };
}

const isNotWithdrawn =
  ({ withdrawn }: Trust) =>
  (key: PublishedKey): boolean =>
    !withdrawn.includes(trustedKeyOf(key).keyId);

function firstTrust(trust: Trust, { ring, keys, statement }: KeyRingMessage): Trust {
  const all = keys.map(pinnedOf);
  if (statement === undefined) return { ...trust, keys: all };
  const set = readKeySet(statement, ring);
  const signer = findSigner(statementTypes.keySet, statement, all.map(trustedKeyOf));
  if (set === null || signer === undefined || !set.trusted.includes(signer.keyId)) return trust;
  return {
    keys: keysOfSet(all, set.trusted),
    sequence: set.sequence,
    withdrawn: set.withdrawn,
  };
}

/** Whoever signs a set vouches for every key of it. */
function keysOfSet(found: readonly PinnedKey[], trusted: readonly string[]): PinnedKey[] {
  const known = new Map(found.map((key) => [trustedKeyOf(key).keyId, key]));
  return trusted.flatMap((keyId) => known.get(keyId) ?? []);
}

const pinnedOf = ({ publicKey, endorsement }: PublishedKey): PinnedKey => ({
  publicKey,
  by: endorsement?.by ?? null,
});

/** The pinned keys and those that they endorsed, directly or over others. */
function endorsedChain(
  ring: string,
  pinned: readonly PinnedKey[],
  announced: readonly PublishedKey[],
): PinnedKey[] {
  const chain = [...pinned];
  const trusted = pinned.map(trustedKeyOf);
  for (let before = -1; before < chain.length;) {
    before = chain.length;
    for (const key of announced) {
      const candidate = trustedKeyOf(key);
      if (trusted.some(({ keyId }) => keyId === candidate.keyId)) continue;
      if (!isEndorsed(ring, key, trusted)) continue;
      trusted.push(candidate);
      chain.push(pinnedOf(key));
    }
  }
  return chain;
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

function descendsFrom(
  parents: ReadonlyMap<string, string | null>,
  keyId: string,
  ancestor: string,
): boolean {
  const seen = new Set<string>();
  for (let at = parents.get(keyId) ?? null; at !== null; at = parents.get(at) ?? null) {
    if (at === ancestor) return true;
    if (seen.has(at)) return false;
    seen.add(at);
  }
  return false;
}
