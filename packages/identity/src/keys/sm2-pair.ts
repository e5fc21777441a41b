import { createECDH } from 'node:crypto';

const PRIVATE_DIGITS = 64;

/**
 * Half of an SM2 pair (GB/T 32918) in hexadecimal digits, as clients want it. Node makes it in a millisecond, other
 * libraries in a hundred.
 */
export function makeSm2PrivateKey(): string {
  const pair = createECDH('SM2');
  pair.generateKeys();
  return pair.getPrivateKey('hex').padStart(PRIVATE_DIGITS, '0');
}

/** The other half, uncompressed, with `04`. */
export function sm2PublicKeyOf(privateKey: string): string {
  const pair = createECDH('SM2');
  pair.setPrivateKey(privateKey, 'hex');
  return pair.getPublicKey('hex', 'uncompressed');
}
