import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';

/** Signs blocks and exports of the audit trail. The key stands outside the database, beside the installation's others. */
export interface AuditSigner {
  readonly keyId: string;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Buffer;
  readonly sign: (message: Uint8Array) => Buffer;
}

/** DER of a PKCS #8 private key (RFC 8410, section 7) up to its 32 bytes. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** @param seed 32 bytes: the private key of RFC 8032 */
export function createAuditSigner(seed: Uint8Array): AuditSigner {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(privateKey)
    .export({ format: 'der', type: 'spki' })
    .subarray(-32);
  return {
    keyId: auditKeyId(publicKey),
    publicKey,
    sign: (message) => sign(null, message, privateKey),
  };
}

/** A key is called by the beginning of its hash, so that none can take the name of another. */
export function auditKeyId(publicKey: Uint8Array): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
}

/** For what the installation's key is derived. */
export const AUDIT_KEY_PURPOSE = 'audit trail';
