import { JwtVerifier } from 'aws-jwt-verify';
import { validateCognitoJwtFields } from 'aws-jwt-verify/cognito-verifier';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import type { Fetcher } from 'aws-jwt-verify/https';
import { z } from 'zod';
import { PortalError } from '@deviceportal/contract/errors';

/** What the portal takes from an id token. */
export interface IdTokenClaims {
  readonly subject: string;
  readonly username: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string | null;
  readonly groups: readonly string[];
  /** Names the sign-in that the token came from; null where the pool does not say. */
  readonly originJti: string | null;
  readonly authenticatedAt: Date;
  readonly expiresAt: Date;
}

export interface TokenVerifier {
  /** Throws 2001 for anything but a good id token of this pool and client. */
  verify(token: string): Promise<IdTokenClaims>;
}

export interface TokenVerifierSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Reads the key set: in process for the embedded pool, over HTTPS for a hosted one. */
  readonly fetchKeySet?: () => Promise<unknown>;
}

/** RS256, RS384 and RS512 only (sign-in specification, section 5); the library alone also takes ES256 and EdDSA. */
const allowedAlgorithms = new Set(['RS256', 'RS384', 'RS512']);

const claimsSchema = z.object({
  sub: z.string().min(1),
  exp: z.number(),
  auth_time: z.number(),
  origin_jti: z.string().nullish(),
  'cognito:username': z.string().min(1),
  email: z.string().nullish(),
  phone_number: z.string().nullish(),
  name: z.string().nullish(),
  'cognito:groups': z.array(z.string()).default([]),
});

function inProcessFetcher(fetchKeySet: () => Promise<unknown>): Fetcher {
  return {
    async fetch() {
      const text = JSON.stringify(await fetchKeySet());
      return new TextEncoder().encode(text).buffer as ArrayBuffer;
    },
  };
}

export function createTokenVerifier(settings: TokenVerifierSettings): TokenVerifier {
  const jwksCache = settings.fetchKeySet
    ? new SimpleJwksCache({ fetcher: inProcessFetcher(settings.fetchKeySet) })
    : new SimpleJwksCache();
  const verifier = JwtVerifier.create(
    {
      issuer: settings.issuer,
      audience: settings.clientId,
      jwksUri: `${settings.issuer}/.well-known/jwks.json`,
      customJwtCheck: ({ header, payload, jwk }) => {
        if (!allowedAlgorithms.has(header.alg ?? '')) throw new Error('algorithm not allowed');
        if (jwk.use !== 'sig') throw new Error('key is not for signatures');
        if (payload.exp === undefined) throw new Error('token never expires');
        validateCognitoJwtFields(payload, { tokenUse: 'id', clientId: settings.clientId });
      },
    },
    { jwksCache },
  );
  return {
    async verify(token) {
      try {
        const claims = claimsSchema.parse(await verifier.verify(token));
        return {
          subject: claims.sub,
          username: claims['cognito:username'],
          email: claims.email ?? null,
          phone: claims.phone_number ?? null,
          name: claims.name ?? null,
          groups: claims['cognito:groups'],
          originJti: claims.origin_jti ?? null,
          authenticatedAt: new Date(claims.auth_time * 1000),
          expiresAt: new Date(claims.exp * 1000),
        };
      } catch (cause) {
        throw new PortalError('invalidSession', { detail: String(cause), cause });
      }
    },
  };
}
