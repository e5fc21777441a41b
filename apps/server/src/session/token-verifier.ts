import { PortalError } from '@deviceportal/contract/errors';
import type { SessionRefusal } from '@deviceportal/contract/session-refusals';
import { TokenRefusal } from '@deviceportal/identity/token-refusal';
import type { Fetcher } from 'aws-jwt-verify/https';
import { unavailable } from '../platform/unavailable.ts';
import { cognitoClaims, oidcClaims, type IdTokenClaims } from './id-token-claims.ts';
import {
  createBearerCheck,
  type CheckedPayload,
  type BearerCheck,
} from './token-check/check-token.ts';
import { isKeySetFault } from './token-check/is-key-set-fault.ts';

export type { IdTokenClaims } from './id-token-claims.ts';

export interface TokenVerifier {
  /**
   * @throws PortalError 2001 for anything but a valid id token of this issuer and client; 2000 if its keys are
   * unavailable. `detail` is the `TokenFault`.
   */
  verify(token: string): Promise<IdTokenClaims>;
}

export interface TokenVerifierSettings {
  readonly issuer: string;
  /** The audience: the web client's id, or the app id at the external provider. */
  readonly clientId: string;
  /** Default: the path below the issuer that user pools use. */
  readonly keySetUrl?: string;
  /** Fetches the key set: in process for the embedded pool, over the network for others. */
  readonly fetcher: Fetcher;
  readonly refreshKeysAfterMs?: number;
  readonly nowMs?: () => number;
  readonly restrictions?: TokenRestrictions;
  /** The type of provider that issued the tokens. */
  readonly tokens:
    | { readonly kind: 'cognito' }
    | {
        readonly kind: 'oidc';
        /** Role codes of the user, if their token does not contain them. */
        readonly findRoles: (token: string, subject: string) => Promise<readonly string[]>;
      };
}

/** Additional rules of the operator. */
export interface TokenRestrictions {
  /** Only members of one of them are permitted; empty: all users. */
  readonly groups: readonly string[];
  readonly graceSeconds: number;
}

/** Verifies id tokens of users, of any configured issuer, with one check. */
export function createTokenVerifier(settings: TokenVerifierSettings): TokenVerifier {
  const { tokens, restrictions, ...issuer } = settings;
  const tokenCheck = createBearerCheck({
    ...issuer,
    use: 'id',
    dialect: tokens.kind,
    graceSeconds: restrictions?.graceSeconds ?? 0,
  });
  const readClaims = tokens.kind === 'cognito' ? keptBy(cognitoClaims) : keptBy(oidcClaims);
  const groups = restrictions?.groups ?? [];
  return {
    async verify(token) {
      const claims = readClaims(await checked(tokenCheck, token));
      const held =
        claims.groups ??
        (tokens.kind === 'oidc' ? await tokens.findRoles(token, claims.subject) : []);
      if (groups.length > 0 && !groups.some((group) => held.includes(group))) {
        throw sessionRefused('wrong-group');
      }
      return { ...claims, groups: held };
    },
  };
}

/**
 * The error of a request without a session; the response contains its code, the log and the record of the call
 * contain the reason.
 */
export function sessionRefused(reason: SessionRefusal, cause?: unknown): PortalError {
  return new PortalError('invalidSession', { detail: reason, cause });
}

async function checked(tokenCheck: BearerCheck, token: string): Promise<CheckedPayload> {
  try {
    return await tokenCheck.check(token);
  } catch (error) {
    if (!(error instanceof TokenRefusal)) throw error;
    // An unavailable issuer does not end sessions: the portal retries.
    if (!isKeySetFault(error.fault)) throw sessionRefused(error.fault, error);
    throw unavailable({ detail: error.fault, cause: error });
  }
}

type ReadClaims = typeof cognitoClaims | typeof oidcClaims;

/** A cached token has the same payload object each time: its claims are read once. */
function keptBy(readClaims: ReadClaims): (payload: CheckedPayload) => ReturnType<ReadClaims> {
  const kept = new WeakMap<CheckedPayload, ReturnType<ReadClaims>>();
  return (payload) => {
    const known = kept.get(payload);
    if (known !== undefined) return known;
    const claims = read(readClaims, payload);
    kept.set(payload, claims);
    return claims;
  };
}

function read(readClaims: ReadClaims, payload: CheckedPayload): ReturnType<ReadClaims> {
  try {
    return readClaims(payload);
  } catch (cause) {
    throw sessionRefused('invalid-access-token', cause);
  }
}
