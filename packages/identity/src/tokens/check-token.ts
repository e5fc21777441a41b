import type { TokenFault } from '@deviceportal/contract/session-refusals';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import type { Clock } from '../clock.ts';
import type { KeyUse } from '../keys/key-pair-store.ts';
import type { SigningKey, SigningKeys } from '../keys/signing-keys.ts';
import { TokenRefusal } from './token-refusal.ts';

/**
 * The check of a token of one of our issuers: form, RS256 signature with a published key of this issuer, issuer, time,
 * claims, and that the key is one for this use.
 * @throws TokenRefusal with the one fault that was met first
 */
export type TokenCheck<Use extends KeyUse, Claims> = (token: string, use: Use) => Promise<Claims>;

export interface TokenCheckOptions<Use extends KeyUse, Claims> {
  readonly keys: SigningKeys<Use>;
  readonly issuer: string;
  readonly clock: Clock;
  /** Reads the required claims; throws if one is missing. */
  readonly read: (payload: JWTPayload) => Claims;
  /** Set if the claims contain the use. */
  readonly useOf?: (claims: Claims) => Use;
}

export function createTokenCheck<Use extends KeyUse, Claims>(
  options: TokenCheckOptions<Use, Claims>,
): TokenCheck<Use, Claims> {
  const { clock, issuer, keys, read, useOf } = options;
  return async (token, use) => {
    let key: SigningKey<Use> | undefined;
    const findKey = async ({ kid = '' }: { readonly kid?: string }) => {
      key = await keys.find(kid);
      if (key === undefined) throw new errors.JWKSNoMatchingKey();
      return key.publicKey;
    };
    const { payload } = await jwtVerify(token, findKey, {
      algorithms: ['RS256'],
      issuer,
      currentDate: new Date(clock.now()),
      requiredClaims: ['exp', 'iat', 'sub'],
    }).catch(refuse);
    const claims = readClaims(payload, read);
    // A key is valid only for its own use, regardless of the claims.
    if (key?.use !== use || (useOf !== undefined && useOf(claims) !== use)) {
      throw new TokenRefusal('wrong-token-use');
    }
    return claims;
  };
}

function readClaims<Claims>(payload: JWTPayload, read: (payload: JWTPayload) => Claims): Claims {
  try {
    return read(payload);
  } catch (cause) {
    throw new TokenRefusal('malformed-token', 'claims', { cause });
  }
}

const faults: readonly (readonly [new (...args: never[]) => Error, TokenFault])[] = [
  [errors.JWTExpired, 'expired-token'],
  [errors.JWSSignatureVerificationFailed, 'bad-signature'],
  [errors.JWKSNoMatchingKey, 'key-not-found'],
  [errors.JOSEAlgNotAllowed, 'wrong-algorithm'],
  [errors.JOSEError, 'malformed-token'],
];

const faultOfClaim: Readonly<Record<string, TokenFault>> = {
  iss: 'wrong-issuer',
  nbf: 'token-not-yet-valid',
};

/** Failures to read the keys stay what they are. */
function refuse(cause: unknown): never {
  const named =
    cause instanceof errors.JWTClaimValidationFailed ? faultOfClaim[cause.claim] : undefined;
  const fault = named ?? faults.find(([kind]) => cause instanceof kind)?.[1];
  if (fault === undefined) throw cause;
  const exp = cause instanceof errors.JWTExpired ? cause.payload.exp : undefined;
  throw new TokenRefusal(fault, undefined, { cause, exp });
}
