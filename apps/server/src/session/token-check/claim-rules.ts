import type { TokenFault } from '@deviceportal/contract/session-refusals';
import type { ParsedToken } from './parse-token.ts';

/** The tokens and issuer that are accepted. An omitted field means no restriction. */
export interface TokenRules {
  readonly issuer: string;
  /** The app client: the audience of id tokens, the client of access tokens. */
  readonly clientId: string;
  readonly use: 'id' | 'access' | 'id or access';
  /** `oidc`: tokens of an OpenID Connect provider, which have no `token_use`. */
  readonly dialect: 'cognito' | 'oidc';
  /** The token's `cognito:groups` (`groups` in the other dialect) must contain one of them. */
  readonly groups?: readonly string[];
  /** One of them must be granted; for access tokens. */
  readonly scopes?: readonly string[];
  /** Tolerated difference between the clocks of issuer and server. Default 0. */
  readonly graceSeconds?: number;
}

type Claims = ParsedToken['payload'];
type Rule = (token: ParsedToken, rules: TokenRules) => TokenFault | undefined;

/** In this order; the first fault is reported. Each implements one rule of docs/design/sign-in.md, section 5. */
const rulesInOrder: readonly Rule[] = [wrongUse, wrongClient, wrongScope, wrongGroup, noSubject];

/**
 * @returns the first rule that a token with a valid signature violates; its times are checked by `findTimeFault` at
 * every use
 */
export function findClaimFault(token: ParsedToken, rules: TokenRules): TokenFault | undefined {
  for (const rule of rulesInOrder) {
    const fault = rule(token, rules);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** @returns the fault of the token's times, if any; a token without `exp` is malformed */
export function findTimeFault(
  claims: Claims,
  nowMs: number,
  graceSeconds = 0,
): TokenFault | undefined {
  const { exp, nbf, iat } = claims;
  if (!Number.isFinite(exp)) return 'malformed-token';
  if (nbf !== undefined && !Number.isFinite(nbf)) return 'malformed-token';
  if (iat !== undefined && !Number.isFinite(iat)) return 'malformed-token';
  const nowSeconds = nowMs / 1_000;
  // RFC 7519, section 4.1.4: must not be accepted on or after this time.
  if (Number(exp) + graceSeconds <= nowSeconds) return 'expired-token';
  if (nbf !== undefined && Number(nbf) - graceSeconds > nowSeconds) return 'token-not-yet-valid';
  return undefined;
}

/**
 * The type of a token, or undefined. Access tokens of other providers are recognized by RFC 9068 and a granted scope.
 */
function tokenUseOf(
  { header, payload }: ParsedToken,
  dialect: TokenRules['dialect'],
): 'id' | 'access' | undefined {
  const { token_use: use, scope } = payload;
  if (dialect === 'cognito') return use === 'id' || use === 'access' ? use : undefined;
  if (use !== undefined) return use === 'id' || use === 'access' ? use : undefined;
  return header.typ?.toLowerCase() === 'at+jwt' || scope !== undefined ? 'access' : 'id';
}

function wrongUse(token: ParsedToken, { use, dialect }: TokenRules): TokenFault | undefined {
  const found = tokenUseOf(token, dialect);
  const isRight = found !== undefined && (use === 'id or access' || use === found);
  return isRight ? undefined : 'wrong-token-use';
}

function wrongClient(
  token: ParsedToken,
  { clientId, dialect }: TokenRules,
): TokenFault | undefined {
  const { aud, azp, client_id: client } = token.payload;
  if (tokenUseOf(token, dialect) === 'access' && (dialect === 'cognito' || client !== undefined)) {
    return client === clientId ? undefined : 'wrong-client';
  }
  if (aud === clientId) return undefined;
  if (!isTexts(aud) || !aud.includes(clientId)) return 'wrong-audience';
  // OpenID Connect Core, section 3.1.3.7: a token with several audiences is for the authorized party.
  return aud.length === 1 || azp === clientId ? undefined : 'wrong-client';
}

function wrongScope({ payload }: ParsedToken, { scopes }: TokenRules): TokenFault | undefined {
  if (scopes === undefined) return undefined;
  const granted = typeof payload['scope'] === 'string' ? payload['scope'].split(' ') : [];
  return scopes.some((scope) => granted.includes(scope)) ? undefined : 'wrong-scope';
}

function wrongGroup(
  { payload }: ParsedToken,
  { groups, dialect }: TokenRules,
): TokenFault | undefined {
  if (groups === undefined) return undefined;
  const held = payload[dialect === 'cognito' ? 'cognito:groups' : 'groups'];
  return isTexts(held) && groups.some((group) => held.includes(group)) ? undefined : 'wrong-group';
}

/** A token without subject or user ID (docs/design/sign-in.md, section 5). */
function noSubject(token: ParsedToken, { dialect }: TokenRules): TokenFault | undefined {
  const { sub, username, 'cognito:username': poolUsername } = token.payload;
  const userId = dialect === 'oidc' ? sub : (poolUsername ?? username);
  return isName(sub) && isName(userId) ? undefined : 'invalid-access-token';
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
