import { createPublicKey, type KeyObject } from 'node:crypto';
import {
  JwksValidationError,
  JwkValidationError,
  KidNotFoundInJwksError,
  WaitPeriodNotYetEndedJwkError,
} from 'aws-jwt-verify/error';
import type { Fetcher } from 'aws-jwt-verify/https';
import { SimpleJwksCache, SimplePenaltyBox, type Jwk } from 'aws-jwt-verify/jwk';
import type { TokenFault } from '@deviceportal/contract/session-refusals';
import { TokenRefusal } from '@deviceportal/identity/token-refusal';
import type { ParsedToken } from './parse-token.ts';

/** docs/design/sign-in.md, section 9: time after an unknown key during which the key set is not fetched again. */
const BACK_OFF_SECONDS = 10;
/** RFC 7518, section 3.3. */
const MIN_MODULUS_BITS = 2_048;

export interface KeySetOptions {
  readonly url: string;
  readonly fetcher: Fetcher;
  readonly nowMs: () => number;
  /** After this time a key set is fetched again in the background, so that a withdrawn key does not stay valid. */
  readonly refreshAfterMs: number;
}

export interface PublishedKey {
  readonly key: KeyObject;
  /** The only algorithm of the key, if the issuer specifies it. */
  readonly alg: string | undefined;
}

/** The issuer's published keys: fetched when first needed, cached, and fetched again for an unknown key. */
export interface KeySet {
  /** A key that was used before and is in the cached set. */
  findKnown(kid: string): PublishedKey | undefined;
  /** @throws TokenRefusal */
  find(token: Pick<ParsedToken, 'header'>): Promise<PublishedKey>;
  /** Whether the key is still published under the id, according to the cached set. */
  isCurrent(kid: string, key: PublishedKey): boolean;
}

export function createKeySet(options: KeySetOptions): KeySet {
  const { url, nowMs } = options;
  /** Keys of the newest set that were used. */
  const inUse = new Map<string, PublishedKey>();
  const opened = new WeakMap<Jwk, PublishedKey>();
  let fetchedAtMs = nowMs();
  const fetcher: Fetcher = {
    async fetch(uri) {
      const bytes = await options.fetcher.fetch(uri);
      fetchedAtMs = nowMs();
      inUse.clear();
      return bytes;
    },
  };
  const jwks = new SimpleJwksCache({
    fetcher,
    penaltyBox: new SimplePenaltyBox({ waitSeconds: BACK_OFF_SECONDS }),
  });
  const refreshInBackground = (): void => {
    if (nowMs() - fetchedAtMs < options.refreshAfterMs) return;
    // Prevents a request for every token while the issuer is unavailable.
    fetchedAtMs = nowMs() - options.refreshAfterMs + BACK_OFF_SECONDS * 1_000;
    void jwks.getJwks(url).catch(() => {});
  };
  return {
    findKnown(kid) {
      refreshInBackground();
      return inUse.get(kid);
    },
    async find({ header: { alg, kid } }) {
      const jwk = await jwks.getJwk(url, decomposed(alg, kid)).catch(refuse);
      const key = opened.get(jwk) ?? openKey(jwk);
      opened.set(jwk, key);
      inUse.set(kid, key);
      return key;
    },
    isCurrent(kid, key) {
      refreshInBackground();
      return inUse.get(kid) === key;
    },
  };
}

/** The fields of a token by which the library looks up its key. */
function decomposed(alg: string, kid: string) {
  return {
    header: { alg, kid },
    headerB64: '',
    payload: {},
    payloadB64: '',
    signatureB64: '',
  };
}

/** Stricter than the library, which accepts elliptic curves and keys without a declared use. */
function openKey(jwk: Jwk): PublishedKey {
  const { kty, use, n, e, alg } = jwk;
  if (kty !== 'RSA' || use !== 'sig' || !n || !e) {
    throw new TokenRefusal('unusable-key', `kty ${kty}, use ${use ?? 'missing'}`);
  }
  const key = createRsaKey({ kty, n, e });
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < MIN_MODULUS_BITS) throw new TokenRefusal('unusable-key', `${bits} bits`);
  return { key, alg };
}

function createRsaKey(key: { readonly kty: string; readonly n: string; readonly e: string }) {
  try {
    return createPublicKey({ key: { ...key }, format: 'jwk' });
  } catch (cause) {
    throw new TokenRefusal('unusable-key', 'modulus or exponent', { cause });
  }
}

function refuse(error: unknown): never {
  if (error instanceof TokenRefusal) throw error;
  const detail = error instanceof Error ? error.message : String(error);
  throw new TokenRefusal(faultOf(error), detail, { cause: error });
}

function faultOf(error: unknown): TokenFault {
  if (error instanceof KidNotFoundInJwksError) return 'key-not-found';
  if (error instanceof WaitPeriodNotYetEndedJwkError) return 'key-set-back-off';
  if (error instanceof JwksValidationError) return 'key-set-malformed';
  return error instanceof JwkValidationError ? 'key-set-malformed' : 'key-set-not-fetched';
}
