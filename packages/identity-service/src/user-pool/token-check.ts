import { errors, jwtVerify } from 'jose';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { KeyUse } from '../store/key-store.ts';

const claimsSchema = z.object({
  sub: z.uuid(),
  token_use: z.enum(['id', 'access']),
  exp: z.number(),
  iat: z.number(),
  origin_jti: z.uuid(),
  aud: z.string().optional(),
  client_id: z.string().optional(),
  scope: z.string().optional(),
});

export type PoolClaims = z.output<typeof claimsSchema>;

export type TokenFault = 'malformed' | 'expired' | 'signature' | 'issuer' | 'tokenUse';

export class TokenFaultError extends Error {
  override readonly name = 'TokenFaultError';
  readonly fault: TokenFault;
  /** Claim `exp`, for an expired token. */
  readonly exp: number | undefined;

  constructor(
    fault: TokenFault,
    options: { readonly exp?: number; readonly cause?: unknown } = {},
  ) {
    super(`Token refused: ${fault}`, { cause: options.cause });
    this.fault = fault;
    this.exp = options.exp;
  }
}

/** Checks a token of this pool: form, RS256 signature with a published key, issuer, time and use. */
export type TokenCheck = (token: string, use: KeyUse) => Promise<PoolClaims>;

export function createTokenCheck(options: {
  readonly keys: KeyRing;
  readonly issuer: string;
  readonly clock: Clock;
}): TokenCheck {
  return async (token, use) => {
    const claims = await verify(token, options);
    if (claims.token_use !== use) throw new TokenFaultError('tokenUse');
    return claims;
  };
}

async function verify(
  token: string,
  options: {
    readonly keys: KeyRing;
    readonly issuer: string;
    readonly clock: Clock;
  },
): Promise<PoolClaims> {
  try {
    const findKey = async ({ kid }: { readonly kid?: string }) => {
      const key = await options.keys.verifier(kid ?? '');
      if (key === undefined) throw new errors.JWKSNoMatchingKey();
      return key;
    };
    const { payload } = await jwtVerify(token, findKey, {
      algorithms: ['RS256'],
      issuer: options.issuer,
      currentDate: new Date(options.clock.now()),
      requiredClaims: ['exp', 'iat', 'sub'],
    });
    return claimsSchema.parse(payload);
  } catch (error) {
    throw faultOf(error);
  }
}

function faultOf(error: unknown): TokenFaultError {
  if (error instanceof errors.JWTExpired) {
    const { exp } = error.payload;
    return new TokenFaultError('expired', { cause: error, ...(exp !== undefined && { exp }) });
  }
  if (
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JWKSNoMatchingKey
  ) {
    return new TokenFaultError('signature', { cause: error });
  }
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'iss') {
    return new TokenFaultError('issuer', { cause: error });
  }
  return new TokenFaultError('malformed', { cause: error });
}
