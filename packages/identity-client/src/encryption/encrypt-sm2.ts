import { sm2 } from 'sm-crypto-v2';
import { IdentityError } from '../core/identity-error.ts';

/** The order C1C3C2: point, digest, ciphertext. */
const NEW_ORDER = 1;

/**
 * SM2 in the provider's format: `sm2:` and hexadecimal digits, without the prefix of an
 * uncompressed point.
 */
export function encryptSm2(text: string, publicKey: string): string {
  if (!/^04[0-9a-f]{128}$/i.test(publicKey)) {
    throw new IdentityError('encryption.publicKey: 04 + 128 hexadecimal digits', {
      code: 'NOT_ENCRYPTED',
    });
  }
  return `sm2:${sm2.doEncrypt(text, publicKey, NEW_ORDER)}`;
}
