import { randomUUID } from 'node:crypto';
import { SignJWT, type JWTPayload } from 'jose';
import { randomSecret } from '../../secrets/secret-hash.ts';
import type { SigningKey } from '../../keys/signing-keys.ts';
import { readGroupsOfUser } from './group-store.ts';
import { insertRefreshToken, type RefreshToken } from '../../sessions/refresh-token-store.ts';
import type { PoolUser } from '../../accounts/pool-account-store.ts';
import { userIsDisabled } from './find-sign-in-user.ts';
import type { PoolContext } from './pool-context.ts';
import { roleClaims } from './role-claims.ts';
import { attributeClaims } from './user-attributes.ts';

export const REFRESH_TOKEN_BYTES = 48;
/** Lets a person call the operations that they call for themself. */
export const ACCESS_SCOPE = 'aws.cognito.signin.user.admin';

/** `AuthenticationResult` of the wire. */
export interface AuthenticationResult {
  readonly AccessToken: string;
  readonly IdToken: string;
  readonly ExpiresIn: number;
  readonly TokenType: 'Bearer';
  readonly RefreshToken?: string;
}

type TokenContext = Pick<PoolContext, 'pool' | 'clock' | 'settings' | 'keys' | 'hash'>;
type SessionContext = TokenContext & Pick<PoolContext, 'sessionDurationMinutes'>;

/** Opens a session: one refresh token whose life counts from now, and the first pair of tokens. */
export async function openSession(
  context: SessionContext,
  user: PoolUser,
  clientId: string,
): Promise<AuthenticationResult> {
  const nowMs = context.clock.now();
  const refreshToken = randomSecret(REFRESH_TOKEN_BYTES);
  const session: RefreshToken = {
    tokenHash: context.hash('refresh-token', refreshToken),
    originJti: randomUUID(),
    clientId,
    sub: user.sub,
    eventId: randomUUID(),
    authTime: new Date(nowMs),
    expiresAt: new Date(nowMs + context.sessionDurationMinutes() * 60_000),
    revokedAt: null,
    rotatedAt: null,
  };
  if (!(await insertRefreshToken(context.pool, session))) throw userIsDisabled();
  return { ...(await issueTokens(context, user, session)), RefreshToken: refreshToken };
}

/** A new id and access token of a session; groups and attributes are read afresh, `exp` never passes the session's end. */
export async function issueTokens(
  context: TokenContext,
  user: PoolUser,
  session: RefreshToken,
): Promise<AuthenticationResult> {
  const { settings, keys } = context;
  const iat = Math.floor(context.clock.now() / 1_000);
  const sessionEnd = Math.floor(session.expiresAt.getTime() / 1_000);
  const exp = Math.min(iat + settings.tokenLifetimeSeconds, sessionEnd);
  const groups = await readGroupsOfUser(context.pool, user.sub);
  const common: JWTPayload = {
    sub: user.sub,
    ...(groups.length > 0 && { 'cognito:groups': groups.map(({ name }) => name) }),
    iss: settings.issuer,
    origin_jti: session.originJti,
    event_id: session.eventId,
    auth_time: Math.floor(session.authTime.getTime() / 1_000),
    iat,
    exp,
  };
  const idClaims: JWTPayload = {
    ...attributeClaims(user),
    ...common,
    ...roleClaims(groups),
    'cognito:username': user.username,
    aud: session.clientId,
    token_use: 'id',
    jti: randomUUID(),
  };
  const accessClaims: JWTPayload = {
    ...common,
    username: user.username,
    client_id: session.clientId,
    token_use: 'access',
    scope: ACCESS_SCOPE,
    jti: randomUUID(),
  };
  return {
    AccessToken: await sign(accessClaims, await keys.signer('access')),
    IdToken: await sign(idClaims, await keys.signer('id')),
    ExpiresIn: exp - iat,
    TokenType: 'Bearer',
  };
}

async function sign(claims: JWTPayload, key: SigningKey): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ kid: key.kid, alg: 'RS256' })
    .sign(key.privateKey);
}
