import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from 'node:crypto';

/** A trusted public key. */
export interface VerifyingKey {
  /** SHA-256 of the public key (SPKI, DER), base64url. A key cannot use the ID of another key. */
  readonly keyId: string;
  /** Ed25519, SPKI in DER (RFC 8410). */
  readonly publicKey: Uint8Array;
  readonly since: Date;
  /** Signature by the previous key, through which this key is trusted; absent for the first key. */
  readonly endorsement: KeyEndorsement | undefined;
  /** The last block that a retired key signed, if it signed a chain. */
  readonly lastBlock?: ChainBlock | undefined;
}

export interface ChainBlock {
  readonly number: number;
  /** Hexadecimal. */
  readonly hash: string;
}

export interface KeyEndorsement {
  /** ID of the endorsing key. */
  readonly by: string;
  /** Over `endorsedBytes`. */
  readonly signature: Uint8Array;
}

/** A signing key. Asynchronous, because the private key can be in another system. */
export interface SigningKey extends VerifyingKey {
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>;
}

export function keyIdOf(publicKey: Uint8Array): string {
  return createHash('sha256').update(publicKey).digest('base64url');
}

/**
 * The bytes that the previous key signs when a ring is rotated. The ring's name separates the
 * rings.
 */
export function endorsedBytes(ring: string, publicKey: Uint8Array): Uint8Array {
  return Buffer.from(`device portal key endorsement\n${ring}\n${keyIdOf(publicKey)}\n`);
}

export function spkiOf(privateKey: KeyObject): Uint8Array {
  return new Uint8Array(createPublicKey(privateKey).export({ format: 'der', type: 'spki' }));
}

export function generateSigningKey(): KeyObject {
  return generateKeyPairSync('ed25519').privateKey;
}

/** DER prefix of a PKCS #8 private key (RFC 8410, section 7) before its 32 bytes. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** @param seed 32 bytes: the private key of RFC 8032 */
export function signingKeyOfSeed(seed: Uint8Array): KeyObject {
  const key = Buffer.concat([PKCS8_PREFIX, seed]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

export async function signWith(privateKey: KeyObject, message: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(sign(null, message, privateKey));
}
