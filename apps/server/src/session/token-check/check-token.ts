import { verify } from 'node:crypto';
import { TokenRefusal } from '@deviceportal/identity/token-refusal';
import type { Fetcher } from 'aws-jwt-verify/https';
import { findClaimFault, findTimeFault, type TokenRules } from './claim-rules.ts';
import { createKeySet, type PublishedKey } from './key-set.ts';
import { parseToken, type ParsedToken } from './parse-token.ts';
import { createRememberedTokens } from './remembered-tokens.ts';

/** RS256, RS384 and RS512 only (docs/design/sign-in.md, section 5), with what OpenSSL calls them. */
const digests: ReadonlyMap<string, string> = new Map([
  ['RS256', 'RSA-SHA256'],
  ['RS384', 'RSA-SHA384'],
  ['RS512', 'RSA-SHA512'],
]);

const REMEMBERED_TOKENS = 10_000;
const REFRESH_KEYS_AFTER_MS = 3_600_000;

export interface BearerCheckOptions extends TokenRules {
  /** Default: below the issuer, where user pools have it. */
  readonly keySetUrl?: string | undefined;
  /** `createKeySetFetcher` for a set on the network, `createInProcessFetcher` for one of this process. */
  readonly fetcher: Fetcher;
  /** Default: the system's clock. */
  readonly nowMs?: () => number;
  /** How many good tokens are remembered. 0: each is verified anew. */
  readonly rememberedTokens?: number;
  /** Default: an hour. */
  readonly refreshKeysAfterMs?: number;
}

/** The payload of a good token. The same token gives the same object, as long as it is remembered. */
export type CheckedPayload = ParsedToken['payload'];

/**
 * The check of a bearer token of a call to the API, against the one issuer that is configured: form, algorithm, issuer,
 * key, signature, claims, time. A token that was good a moment ago is not verified again, but its time and its key are
 * always looked at: the caller asks besides whether its sign-in was ended.
 *
 * Written by hand, because each call passes here: for an RS256 signature with 2,048 bits jose takes two to three times the
 * processor time of `crypto.verify` (58 to 178 µs against 26 to 65), and `npm run bench:tokens` allows less than twice.
 * Tokens that come to the sign-in services are checked by `createTokenCheck` of the identity service.
 */
export interface BearerCheck {
  /** @throws TokenRefusal with the one fault that was met first */
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
  const remembered = createRememberedTokens<Remembered>(
    options.rememberedTokens ?? REMEMBERED_TOKENS,
  );
  const requireTime = (payload: CheckedPayload): void => {
    const fault = findTimeFault(payload, nowMs(), graceSeconds);
    if (fault !== undefined) throw new TokenRefusal(fault);
  };
  const verifyAnew = async (text: string): Promise<CheckedPayload> => {
    const token = parseToken(text);
    const { header, payload } = token;
    const digest = requireAlgorithm(header.alg);
    // Before a key is looked for: a foreign token must not make us ask our issuer for its key.
    if (payload['iss'] !== issuer) throw new TokenRefusal('wrong-issuer', String(payload['iss']));
    const key = await keySet.find(token);
    requireSignature(token, key, digest);
    requireTime(payload);
    const fault = findClaimFault(token, options);
    if (fault !== undefined) throw new TokenRefusal(fault);
    remembered.keep(text, { payload, kid: header.kid, key });
    return payload;
  };
  return {
    async check(token) {
      const known = remembered.find(token);
      if (known === undefined || !keySet.isCurrent(known.kid, known.key)) return verifyAnew(token);
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
  if (!verify(digest, Buffer.from(signingInput), key, signature)) {
    throw new TokenRefusal('bad-signature');
  }
}
