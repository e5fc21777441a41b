import { errors, jwtVerify } from 'jose';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';

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

/** What the keys of the user pool sign. */
export type PoolTokenUse = 'id' | 'access';

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
export type TokenCheck = (token: string, use: PoolTokenUse) => Promise<PoolClaims>;

export function createTokenCheck(options: {
  readonly keys: SigningKeys<PoolTokenUse>;
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
    readonly keys: SigningKeys<PoolTokenUse>;
    readonly issuer: string;
    readonly clock: Clock;
  },
): Promise<PoolClaims> {
  try {
    const { payload } = await jwtVerify(token, options.keys.verifier, {
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
