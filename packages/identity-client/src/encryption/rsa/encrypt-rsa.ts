import { IdentityError } from '../../core/identity-error.ts';
import { powerModulo, toBase64, toBytes, toNumber } from './numbers.ts';
import { readPublicKey } from './read-key.ts';

/*
 * Ours, as are the files beside it: WebCrypto has no RSAES-PKCS1-v1_5, and node-forge would add 57 kB (gzip) to the
 * client that browsers load, where these add 1.9 kB.
 */

/** Zero byte, block type, at least eight random bytes, zero byte. */
const PADDING_OVERHEAD = 11;

/**
 * RSAES-PKCS1-v1_5, which the contract requires and Web Crypto does not offer. The text is UTF-8,
 * the result base64 and always as long as the key.
 */
export function encryptRsa(text: string, publicKey: string): string {
  const { modulus, exponent, bytes } = readPublicKey(publicKey);
  const message = new TextEncoder().encode(text);
  if (message.length > bytes - PADDING_OVERHEAD) throw messageTooLong();
  const padding = randomNonZero(bytes - message.length - 3);
  const block = Uint8Array.from([0, 2, ...padding, 0, ...message]);
  return toBase64(toBytes(powerModulo(toNumber(block), exponent, modulus), bytes));
}

/** Messages that exceed the key's capacity are rejected, never truncated. */
export function messageTooLong(): IdentityError {
  return new IdentityError('Message too long for RSA', { code: 'NOT_ENCRYPTED' });
}

function randomNonZero(length: number): readonly number[] {
  const found: number[] = [];
  while (found.length < length) {
    const bytes = crypto.getRandomValues(new Uint8Array(length));
    found.push(...bytes.filter((byte) => byte !== 0));
  }
  return found.slice(0, length);
}
