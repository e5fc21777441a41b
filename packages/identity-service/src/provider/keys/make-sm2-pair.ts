import { createECDH } from 'node:crypto';

const PRIVATE_DIGITS = 64;

/** An SM2 pair (GB/T 32918) in hexadecimal digits, as clients want it. Node makes it in a millisecond, other libraries in a hundred. */
export function makeSm2Pair(): { readonly privateKey: string; readonly publicKey: string } {
  const pair = createECDH('SM2');
  const publicKey = pair.generateKeys('hex', 'uncompressed');
  return { publicKey, privateKey: pair.getPrivateKey('hex').padStart(PRIVATE_DIGITS, '0') };
}
