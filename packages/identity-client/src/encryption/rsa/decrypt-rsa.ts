import { IdentityError } from '../../core/identity-error.ts';
import { fromBase64, powerModulo, toBytes, toNumber } from './numbers.ts';
import { readPrivateKey } from './read-key.ts';

const BLOCK_TYPE = 2;
const LEAST_PADDING = 8;

/**
 * Decrypts the output of {@link encryptRsa} or any other RSAES-PKCS1-v1_5 implementation, including
 * ones that drop leading zeros. All decryption failures throw the same error.
 *
 * Not constant-time: the duration depends on the key. Use it only locally for the user's own data,
 * never as a service that decrypts input from others.
 */
export function decryptRsa(cipherText: string, privateKey: string): string {
  const { modulus, privateExponent, bytes } = readPrivateKey(privateKey);
  const cipher = readCipherText(cipherText);
  if (cipher >= modulus) throw malformedPadding();
  const block = toBytes(powerModulo(cipher, privateExponent, modulus), bytes);
  const end = block.indexOf(0, 2);
  if (block[0] !== 0 || block[1] !== BLOCK_TYPE || end < 2 + LEAST_PADDING)
    throw malformedPadding();
  return new TextDecoder().decode(block.slice(end + 1));
}

function readCipherText(text: string): bigint {
  try {
    return toNumber(fromBase64(text));
  } catch {
    throw malformedPadding();
  }
}

function malformedPadding(): IdentityError {
  return new IdentityError('Malformed RSA padding', { code: 'NOT_ENCRYPTED' });
}
