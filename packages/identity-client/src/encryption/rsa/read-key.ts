import { BIT_STRING, contentAt, INTEGER, OCTET_STRING, readSequence, SEQUENCE } from './der.ts';
import { fromBase64, fromHex, toNumber } from './numbers.ts';

export interface RsaPublicKey {
  readonly modulus: bigint;
  readonly exponent: bigint;
  /** Length of the modulus, and of every ciphertext and signature, in bytes. */
  readonly bytes: number;
}

export interface RsaPrivateKey extends RsaPublicKey {
  readonly privateExponent: bigint;
}

/** Reads an SPKI key as PEM, bare base64, or hexadecimal. Throws for anything else. */
export function readPublicKey(text: string): RsaPublicKey {
  const outer = readSequence(toDer(text));
  contentAt(outer, 0, SEQUENCE);
  // The first byte of a bit string is the number of unused bits, here 0.
  const numbers = readSequence(contentAt(outer, 1, BIT_STRING).slice(1));
  return publicKey(contentAt(numbers, 0, INTEGER), contentAt(numbers, 1, INTEGER));
}

/** Reads a PKCS#8 or PKCS#1 key as PEM, bare base64, or hexadecimal. */
export function readPrivateKey(text: string): RsaPrivateKey {
  const outer = readSequence(toDer(text));
  const numbers =
    outer[1]?.tag === SEQUENCE ? readSequence(contentAt(outer, 2, OCTET_STRING)) : outer;
  return {
    ...publicKey(contentAt(numbers, 1, INTEGER), contentAt(numbers, 2, INTEGER)),
    privateExponent: toNumber(contentAt(numbers, 3, INTEGER)),
  };
}

function publicKey(modulusBytes: Uint8Array, exponentBytes: Uint8Array): RsaPublicKey {
  const modulus = toNumber(modulusBytes);
  return {
    modulus,
    exponent: toNumber(exponentBytes),
    bytes: Math.ceil(modulus.toString(2).length / 8),
  };
}

function toDer(text: string): Uint8Array {
  const bare = text.replaceAll(/-----[^-]+-----/g, '').replaceAll(/\s/g, '');
  if (bare === '') throw new RangeError('The key is empty');
  return /^(?:[0-9a-f]{2})+$/i.test(bare) ? fromHex(bare) : fromBase64(bare);
}
