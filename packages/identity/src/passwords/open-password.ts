import { constants, privateDecrypt } from 'node:crypto';
import { sm2 } from 'sm-crypto-v2';
import type { ProviderKeys } from '../keys/load-provider-keys.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { foldSurrogates } from './fold-surrogates.ts';

const MODULUS_BYTES = 256;
const SM2_PREFIX = 'sm2:';
/** `cipherMode` of sm-crypto: C1C3C2. */
const C1C3C2 = 1;
/** C1 and C3 before the first character. */
const SM2_OVERHEAD_BYTES = 64 + 32;
const LONGEST_TEXT = 4_096;

/**
 * Decrypts a password from a client (identity-sdk.md, section 6). All failures throw the same
 * error. For invalid padding, Node returns random bytes instead of an error (OpenSSL's implicit
 * rejection), so that the padding is not revealed.
 * @throws ProviderError unreadablePassword
 */
export function openPassword(
  keys: Pick<ProviderKeys, 'passwordRsa' | 'passwordSm2'>,
  sent: string,
): string {
  try {
    if (sent.length === 0 || sent.length > LONGEST_TEXT) throw new Error('length');
    const bytes = sent.startsWith(SM2_PREFIX)
      ? openSm2(keys.passwordSm2.privateKey, sent.slice(SM2_PREFIX.length))
      : openRsa(keys.passwordRsa, sent);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      foldSurrogates(bytes),
    );
    if (text === '' || text.includes('\0')) throw new Error('no text');
    return text;
  } catch {
    throw new ProviderError(refusals.unreadablePassword);
  }
}

/** Clients drop leading zero bytes of the ciphertext. */
function openRsa({ privateKey }: ProviderKeys['passwordRsa'], sent: string): Uint8Array {
  const bytes = Buffer.from(sent, 'base64');
  if (bytes.length === 0 || bytes.length > MODULUS_BYTES) throw new Error('length');
  const padded = Buffer.concat([Buffer.alloc(MODULUS_BYTES - bytes.length), bytes]);
  return privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, padded);
}

function openSm2(privateKey: string, hex: string): Uint8Array {
  if (!/^[0-9a-f]+$/i.test(hex) || hex.length <= SM2_OVERHEAD_BYTES * 2) throw new Error('length');
  return Uint8Array.from(sm2.doDecrypt(hex, privateKey, C1C3C2, { output: 'array' }));
}
