import { SignJWT, type JWTPayload } from 'jose';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { createTokenCheck, type TokenCheck } from '../tokens/check-token.ts';
import { unlessRefused } from '../tokens/unless-refused.ts';
import type { ProviderKeys } from '../keys/load-provider-keys.ts';
import type { ProviderSettings } from '../provider/provider-settings.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import { arnOf } from '../accounts/wire-user.ts';
import type { ProviderSession } from './provider-session-store.ts';
import type { IssuedToken } from './issued-token.ts';

interface TokenParts {
  readonly clock: Clock;
  readonly keys: Pick<ProviderKeys, 'signing'>;
  readonly settings: Pick<ProviderSettings, 'baseUrl' | 'tokenSeconds' | 'userPoolId'>;
}

/** For all tokens of the issuer: user tokens and OpenID Connect tokens. */
export type ProviderTokenCheck = TokenCheck<'provider-token', JWTPayload>;

export function createProviderTokenCheck({
  clock,
  keys,
  settings,
}: TokenParts): ProviderTokenCheck {
  return createTokenCheck({
    ...{ keys: keys.signing, issuer: issuerOf(settings), clock },
    read: (payload) => payload,
  });
}

/** Issuer of user tokens and OpenID Connect tokens. */
function issuerOf({ baseUrl }: Pick<ProviderSettings, 'baseUrl'>): string {
  return `${baseUrl}/oidc`;
}

/**
 * The token of a session. Clients read `sub` or `data.id` from it (identity-sdk.md, section 3). It is also an ID token
 * of the application, so that servers can verify it with the key set of the issuer.
 */
export async function signUserToken(
  { clock, keys, settings }: TokenParts,
  session: ProviderSession,
  user: ProviderUser,
): Promise<IssuedToken> {
  const issuedSeconds = Math.floor(clock.now() / 1_000);
  const endSeconds = Math.floor(session.expiresAt.getTime() / 1_000);
  const expiresSeconds = Math.min(issuedSeconds + settings.tokenSeconds, endSeconds);
  const { kid, privateKey } = await keys.signing.signer('provider-token');
  const token = await new SignJWT({
    ...personClaims(user),
    sid: session.id,
    auth_time: Math.floor(session.createdAt.getTime() / 1_000),
    data: { id: user.id, userPoolId: user.userPoolId, arn: arnOf(user) },
  })
    .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
    .setIssuer(issuerOf(settings))
    .setAudience(session.appId)
    .setSubject(user.id)
    .setIssuedAt(issuedSeconds)
    .setExpirationTime(expiresSeconds)
    .sign(privateKey);
  return {
    token,
    sessionId: session.id,
    issuedAt: new Date(issuedSeconds * 1_000),
    expiresAt: new Date(expiresSeconds * 1_000),
  };
}

const claimsSchema = z.object({
  sub: z.string(),
  sid: z.string(),
  iat: z.number(),
  exp: z.number(),
  data: z.object({ id: z.string() }),
});

/** Undefined if it is not a valid token of this provider. */
export async function readUserToken(check: ProviderTokenCheck, token: string) {
  const claims = claimsSchema.safeParse(await unlessRefused(check(token, 'provider-token')));
  if (!claims.success) return undefined;
  const { sub, sid, iat, exp } = claims.data;
  return {
    userId: sub,
    sessionId: sid,
    issuedAt: new Date(iat * 1_000),
    expiresAt: new Date(exp * 1_000),
  };
}

/** Standard claims (OpenID Connect Core, section 5.1), without those that are empty. */
function personClaims(user: ProviderUser): Record<string, unknown> {
  const { email, emailVerified, phoneE164, phoneVerified, username, profile } = user;
  return {
    ...(email !== null && { email, email_verified: emailVerified }),
    ...(phoneE164 !== null && { phone_number: phoneE164, phone_number_verified: phoneVerified }),
    ...(username !== null && { preferred_username: username }),
    ...(profile.name !== undefined && { name: profile.name }),
  };
}
