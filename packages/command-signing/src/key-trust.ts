import { hash } from 'node:crypto';
import type { KeyRingMessage, PublishedKey } from '@deviceportal/device-protocol/messages';
import { readKeySet } from './key-set.ts';
import { findSigner, isSignature, statementTypes, type TrustedKey } from './signed-statement.ts';

/** A key of a ring, as stored by the server. */
export interface RingKey extends TrustedKey {
  readonly endorsement?: { readonly by: string; readonly signature: Uint8Array } | undefined;
}

/** Trust state of a ring on a device. */
export interface Trust {
  readonly keys: readonly PinnedKey[];
  /** Number of the last accepted key set; older sets are rejected. 0 before the first one. */
  readonly sequence: number;
  /** IDs of keys that are never trusted again. */
  readonly withdrawn: readonly string[];
}

export interface PinnedKey {
  /** Base64 of SPKI in DER. */
  readonly publicKey: string;
  /** ID of the key that endorsed it; null for the first key. */
  readonly by: string | null;
}

export const noTrust: Trust = { keys: [], sequence: 0, withdrawn: [] };

/** SHA-256 of the public key (SPKI, DER), base64url. A key cannot use the ID of another key. */
export const keyIdOf = (publicKey: Uint8Array): string => hash('sha256', publicKey, 'base64url');

/**
 * The bytes that the previous key signs when a ring is rotated. The ring's name separates the
 * rings.
 */
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

/** A pinned key: base64 of SPKI in DER. */
export function trustedKeyOf({ publicKey }: Pick<PinnedKey, 'publicKey'>): TrustedKey {
  const bytes = Buffer.from(publicKey, 'base64');
  return { keyId: keyIdOf(bytes), publicKey: bytes };
}

/**
 * The keys to pin after a ring is announced; the same object if nothing changes.
 *
 * Without pinned keys, the announced keys are pinned (trust on first use). Afterwards, a key set is
 * accepted only if it is signed by a pinned key, or by a key that pinned keys endorsed directly or
 * indirectly. It replaces all pinned keys, unless it is older than the last set or a key would
 * withdraw one of its successors.
 */
export function takeKeys(trust: Trust, message: KeyRingMessage): Trust {
  const { ring } = message;
  if (trust.keys.length === 0 && trust.sequence === 0) return firstTrust(trust, message);
  const announced = message.keys.filter(isNotWithdrawn(trust));
  const chain = endorsedChain(ring, trust.keys, announced);
  // From a server without key sets.
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

/** The signer of a set vouches for all its keys. */
function keysOfSet(found: readonly PinnedKey[], trusted: readonly string[]): PinnedKey[] {
  const known = new Map(found.map((key) => [trustedKeyOf(key).keyId, key]));
  return trusted.flatMap((keyId) => known.get(keyId) ?? []);
}

const pinnedOf = ({ publicKey, endorsement }: PublishedKey): PinnedKey => ({
  publicKey,
  by: endorsement?.by ?? null,
});

/** The pinned keys and those that they endorsed, directly or indirectly. */
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
