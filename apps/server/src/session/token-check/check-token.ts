import { verify } from 'node:crypto';
import { TokenRefusal } from '@deviceportal/identity/token-refusal';
import type { Fetcher } from 'aws-jwt-verify/https';
import { findClaimFault, findTimeFault, type TokenRules } from './claim-rules.ts';
import { createKeySet, type PublishedKey } from './key-set.ts';
import { parseToken, type ParsedToken } from './parse-token.ts';
import { createTokenCache, tokenKey } from './token-cache.ts';

/** RS256, RS384, and RS512 only (docs/design/sign-in.md, section 5), with their OpenSSL names. */
const digests: ReadonlyMap<string, string> = new Map([
  ['RS256', 'RSA-SHA256'],
  ['RS384', 'RSA-SHA384'],
  ['RS512', 'RSA-SHA512'],
]);

const CACHED_TOKENS = 10_000;
const REFRESH_KEYS_AFTER_MS = 3_600_000;

export interface BearerCheckOptions extends TokenRules {
  /** Default: the path below the issuer that user pools use. */
  readonly keySetUrl?: string | undefined;
  /** `createKeySetFetcher` for a key set on the network, `createInProcessFetcher` for one of this process. */
  readonly fetcher: Fetcher;
  /** Default: the system clock. */
  readonly nowMs?: () => number;
  /** Number of valid tokens that are cached. 0: each is verified again. */
  readonly cachedTokens?: number;
  /** Default: an hour. */
  readonly refreshKeysAfterMs?: number;
}

/** The payload of a valid token. The same token returns the same object while it is cached. */
export type CheckedPayload = ParsedToken['payload'];

/**
 * The check of a bearer token of an API call, against the one configured issuer: form, algorithm, issuer, key,
 * signature, claims, time. The signature of a cached token is not verified again, but its time and key are always
 * checked; the caller also checks whether its sign-in has ended.
 * Own code, because every call passes here: for an RS256 signature with 2,048 bits, jose takes two to three times the
 * processor time of `crypto.verify` (58 to 178 µs against 26 to 65), and `npm run bench:tokens` allows less than
 * twice. Tokens for the sign-in services are checked by `createTokenCheck` of the identity package.
 */
export interface BearerCheck {
  /** @throws TokenRefusal with the first fault found */
  check(token: string): Promise<CheckedPayload>;
}

interface Remembered {
  readonly payload: CheckedPayload;
  readonly kid: string;
  readonly key: PublishedKey;
}

export function createBearerCheck(options: BearerCheckOptions): BearerCheck {
  const { issuer, graceSeconds, fetcher, nowMs = Date.now } = options;
  const keySet = createKeySet({
    url: options.keySetUrl ?? `${issuer}/.well-known/jwks.json`,
    fetcher,
    nowMs,
    refreshAfterMs: options.refreshKeysAfterMs ?? REFRESH_KEYS_AFTER_MS,
  });
  const remembered = createTokenCache<Remembered>(options.cachedTokens ?? CACHED_TOKENS);
  const requireTime = (payload: CheckedPayload): void => {
    const fault = findTimeFault(payload, nowMs(), graceSeconds);
    if (fault !== undefined) throw new TokenRefusal(fault);
  };
  const verifyAnew = async (text: string, cacheKey: string): Promise<CheckedPayload> => {
    const token = parseToken(text);
    const { header, payload } = token;
    const digest = requireAlgorithm(header.alg);
    // Checked before the key is looked up, so that a token of another issuer causes no key request.
    if (payload['iss'] !== issuer) throw new TokenRefusal('wrong-issuer', String(payload['iss']));
    const key = keySet.findKnown(header.kid) ?? (await keySet.find(token));
    requireSignature(token, key, digest);
    requireTime(payload);
    const fault = findClaimFault(token, options);
    if (fault !== undefined) throw new TokenRefusal(fault);
    remembered.keep(cacheKey, { payload, kid: header.kid, key });
    return payload;
  };
  return {
    async check(token) {
      const cacheKey = tokenKey(token);
      const known = remembered.find(cacheKey);
      if (known === undefined || !keySet.isCurrent(known.kid, known.key))
        return verifyAnew(token, cacheKey);
      requireTime(known.payload);
      return known.payload;
    },
  };
}

function requireAlgorithm(alg: string): string {
  const digest = digests.get(alg);
  if (digest === undefined) throw new TokenRefusal('wrong-algorithm', alg.slice(0, 16));
  return digest;
}

function requireSignature(
  { header, signingInput, signature }: ParsedToken,
  { key, alg }: PublishedKey,
  digest: string,
): void {
  if (alg !== undefined && alg !== header.alg) {
    throw new TokenRefusal('wrong-algorithm', `${header.alg} with a key for ${alg}`);
  }
  if (!verify(digest, signingInput, key, signature)) {
    throw new TokenRefusal('bad-signature');
  }
}
