import { createHash } from 'node:crypto';
import type { SigningKeyRing } from '../platform/installation-secrets.ts';
import { signingKeyOfSeed, signWith, spkiOf } from '../platform/secrets/signing-key.ts';

/** Signs blocks and exports of the audit trail. The key is outside the database. */
export interface AuditSigner {
  readonly keyId: string;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Buffer;
  readonly sign: (message: Uint8Array) => Promise<Buffer>;
}

/** Signs with the key that is current in the ring. */
export function auditSignerOf(ring: SigningKeyRing): AuditSigner {
  return {
    get keyId() {
      return auditKeyId(rawPublicKey(ring.current.publicKey));
    },
    get publicKey() {
      return rawPublicKey(ring.current.publicKey);
    },
    sign: async (message) => Buffer.from(await ring.current.sign(message)),
  };
}

/** @param seed 32 bytes: the private key of RFC 8032 */
export function createAuditSigner(seed: Uint8Array): AuditSigner {
  const privateKey = signingKeyOfSeed(seed);
  const publicKey = rawPublicKey(spkiOf(privateKey));
  return {
    keyId: auditKeyId(publicKey),
    publicKey,
    sign: async (message) => Buffer.from(await signWith(privateKey, message)),
  };
}

/** A key is called by the beginning of its hash, so that none can take the name of another. */
export function auditKeyId(publicKey: Uint8Array): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
}

/** The 32 bytes at the end of an Ed25519 key's SPKI (RFC 8410, section 4). */
export function rawPublicKey(spki: Uint8Array): Buffer {
  return Buffer.from(spki).subarray(-32);
}
