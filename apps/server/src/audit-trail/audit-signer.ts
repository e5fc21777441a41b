import type { AuditKey } from '@deviceportal/audit-proof/audit-block';
import { auditKeyId as keyIdOf } from '@deviceportal/audit-proof/keys-file';
import type { SigningKey, SigningKeyRing, VerifyingKey } from '../platform/installation-secrets.ts';
import type { RotatingKeyRing } from '../platform/secrets/signing-key-ring.ts';
import { signingKeyOfSeed, signWith, spkiOf } from '../platform/secrets/signing-key.ts';
import { proofTools } from './export/proof-tools.ts';

/** A key that signs blocks. */
export interface AuditSigningKey {
  readonly keyId: string;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Buffer;
  readonly sign: (message: Uint8Array) => Promise<Buffer>;
}

/** Signs blocks and exports of the audit trail. The key is outside the database. */
export interface AuditSigner extends AuditSigningKey {
  /** All keys whose blocks are trusted, including retired ones. */
  readonly trustedKeys: readonly AuditKey[];
  /** The trusted key with an ID; undefined for a foreign one. */
  readonly trustedKey: (keyId: string) => Promise<AuditKey | undefined>;
  /** The key for the block after a block of a key: the next key, if the chain already uses it. */
  readonly keyAfter: (keyId: string | undefined) => Promise<AuditSigningKey>;
}

/**
 * Signs with the current key of the ring.
 *
 * @param pinned keys of earlier installations that are also trusted
 */
export function auditSignerOf(
  ring: RotatingKeyRing,
  pinned: readonly AuditKey[] = [],
): AuditSigner {
  const trusted = (): readonly AuditKey[] => [...auditKeysOf(ring), ...pinned];
  return {
    get keyId() {
      return auditSigningKeyOf(ring.current).keyId;
    },
    get publicKey() {
      return rawPublicKey(ring.current.publicKey);
    },
    get trustedKeys() {
      return trusted();
    },
    sign: async (message) => Buffer.from(await ring.current.sign(message)),
    trustedKey: async (keyId) => {
      const known = keyOf(trusted(), keyId);
      if (known !== undefined) return known;
      // Another server may have rotated the key.
      await ring.refresh();
      return keyOf(trusted(), keyId);
    },
    keyAfter: async (keyId) => {
      // The chain contains a rotation before any key ring does, so that the ring of a chain that
      // still ends with the current key is up to date.
      if (auditSigningKeyOf(ring.current).keyId === keyId) return auditSigningKeyOf(ring.current);
      await ring.refresh();
      const next = ring.next && auditSigningKeyOf(ring.next);
      return next !== undefined && next.keyId === keyId ? next : auditSigningKeyOf(ring.current);
    },
  };
}

/**
 * @param seed 32 bytes: the private key of RFC 8032
 * @param pinned further keys that are trusted
 */
export function createAuditSigner(seed: Uint8Array, pinned: readonly AuditKey[] = []): AuditSigner {
  const privateKey = signingKeyOfSeed(seed);
  const publicKey = rawPublicKey(spkiOf(privateKey));
  const own = { id: auditKeyId(publicKey), publicKey: publicKey.toString('base64url') };
  const trustedKeys = [{ ...own, since: new Date(0).toISOString() }, ...pinned];
  const key: AuditSigningKey = {
    ...{ keyId: own.id, publicKey },
    sign: async (message) => Buffer.from(await signWith(privateKey, message)),
  };
  return {
    ...key,
    trustedKeys,
    trustedKey: async (keyId) => keyOf(trustedKeys, keyId),
    keyAfter: async () => key,
  };
}

export function auditSigningKeyOf({ publicKey, sign }: SigningKey): AuditSigningKey {
  const raw = rawPublicKey(publicKey);
  return {
    keyId: auditKeyId(raw),
    publicKey: raw,
    sign: async (message) => Buffer.from(await sign(message)),
  };
}

/** All keys of a ring except withdrawn ones, which never sealed. */
export const auditKeysOf = ({ trusted }: Pick<SigningKeyRing, 'trusted'>): AuditKey[] =>
  trusted.map((key) => auditKeyOf(key, trusted));

/** @param known the keys of its ring, including the one that endorsed it */
export function auditKeyOf(
  { publicKey, since, endorsement, lastBlock }: VerifyingKey,
  known: readonly VerifyingKey[],
): AuditKey {
  const raw = rawPublicKey(publicKey);
  const by = known.find(({ keyId }) => keyId === endorsement?.by);
  return {
    id: auditKeyId(raw),
    publicKey: raw.toString('base64url'),
    since: since.toISOString(),
    ...(by !== undefined &&
      endorsement !== undefined && {
        endorsement: {
          by: auditKeyId(rawPublicKey(by.publicKey)),
          signature: Buffer.from(endorsement.signature).toString('base64url'),
        },
      }),
    ...(lastBlock !== undefined && { lastBlock }),
  };
}

const keyOf = (keys: readonly AuditKey[], keyId: string): AuditKey | undefined =>
  keys.find(({ id }) => id === keyId);

/** The ID of a raw key. */
const auditKeyId = (publicKey: Uint8Array): string => keyIdOf(proofTools.sha256, publicKey);

/** The 32 bytes at the end of an Ed25519 key's SPKI (RFC 8410, section 4). */
export function rawPublicKey(spki: Uint8Array): Buffer {
  return Buffer.from(spki).subarray(-32);
}
