import { createHmac, timingSafeEqual } from 'node:crypto';
import { SIGNED_URL_MAX_SECONDS } from '@deviceportal/contract/constants';
import { keysOf, type KeySource } from '../secrets/derived-keys.ts';

/** Makes links that work without a session until they end: HMAC-SHA256 over purpose, subject and end. */
export interface UrlSigner {
  /** Query parameters `expires` (Unix seconds) and `signature` for one subject. */
  sign(purpose: string, subject: string, validSeconds: number): string;
  verify(purpose: string, subject: string, query: SignedQuery): 'valid' | 'expired' | 'invalid';
}

export interface SignedQuery {
  readonly expires?: string | undefined;
  readonly signature?: string | undefined;
}

/**
 * @param source of at least 32 bytes each, kept by the installation
 * @param onInvalid told the purpose of each link whose signature is wrong
 */
export function createUrlSigner(
  source: KeySource,
  clock: () => Date,
  onInvalid: (purpose: string) => void = () => {},
): UrlSigner {
  const keys = keysOf(source);
  if (keys.current.byteLength < 32)
    throw new RangeError('the key of signed links must have 32 bytes or more');
  const signatureWith = (key: Uint8Array, ...signed: readonly string[]): Buffer =>
    createHmac('sha256', key).update(JSON.stringify(signed)).digest();
  const isSigned = (given: Buffer, ...signed: readonly string[]): boolean =>
    keys.known.some((key) => {
      const expected = signatureWith(key, ...signed);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  return {
    sign(purpose, subject, validSeconds) {
      if (validSeconds < 1 || validSeconds > SIGNED_URL_MAX_SECONDS) {
        throw new RangeError(`a signed link is valid for 1 to ${SIGNED_URL_MAX_SECONDS} seconds`);
      }
      const expires = String(Math.floor(clock().getTime() / 1_000) + Math.floor(validSeconds));
      const signature = signatureWith(keys.current, purpose, subject, expires);
      return `expires=${expires}&signature=${signature.toString('base64url')}`;
    },
    verify(purpose, subject, { expires = '', signature }) {
      const given = Buffer.from(signature ?? '', 'base64url');
      if (!/^\d{1,12}$/.test(expires) || !isSigned(given, purpose, subject, expires)) {
        onInvalid(purpose);
        return 'invalid';
      }
      return Number(expires) * 1_000 < clock().getTime() ? 'expired' : 'valid';
    },
  };
}
