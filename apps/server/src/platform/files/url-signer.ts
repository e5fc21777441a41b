import { createHmac, timingSafeEqual } from 'node:crypto';
import { SIGNED_URL_MAX_SECONDS } from '@deviceportal/contract/constants';
import { keysOf, type KeySource } from '../secrets/derived-keys.ts';

/**
 * Creates links that are valid without a session until they expire: HMAC-SHA256 over purpose,
 * subject, and expiry.
 */
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
 * @param source keys of at least 32 bytes
 * @param onInvalid called with the purpose of each link with an invalid signature
 */
export function createUrlSigner(
  source: KeySource,
  clock: () => Date,
  onInvalid: (purpose: string) => void = () => {},
): UrlSigner {
  const keys = keysOf(source);
  if (keys.current.byteLength < 32)
    throw new RangeError('the signing key of links must have at least 32 bytes');
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
        throw new RangeError(
          `the validity of a signed link must be 1 to ${SIGNED_URL_MAX_SECONDS} seconds`,
        );
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
