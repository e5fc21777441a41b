import type { Login } from '../store/identity-store.ts';
import { isOriginRevoked } from '../store/refresh-token-store.ts';
import { findUserBySub } from '../store/user-store.ts';
import { TokenFaultError, type PoolClaims } from '../user-pool/token-check.ts';
import { invalidParameter, notAuthorized, type WireError } from '../wire/wire-error.ts';
import type { IdentityContext } from './identity-context.ts';

/** A login whose token was checked. */
export interface CheckedLogin extends Login {
  readonly originJti: string;
}

/**
 * Checks the `Logins` of a request: provider, token, client, and that the sign-in has not ended (the server-side token
 * check of a hosted pool, always on here). Without logins: undefined, a guest.
 * @throws NotAuthorizedException with the messages of cognito.md, section 6
 */
export async function checkLogins(
  context: IdentityContext,
  logins: Readonly<Record<string, string>> | undefined,
): Promise<CheckedLogin | undefined> {
  const entries = Object.entries(logins ?? {});
  const [entry] = entries;
  if (entry === undefined) return undefined;
  if (entries.length > 1) throw invalidParameter('Please provide one login.');
  const [provider, token] = entry;
  if (!providerNames(context).includes(provider)) throw unsupportedProvider();
  const claims = await context.tokens(token, 'id').catch((error: unknown) => {
    throw refusalOf(error, context.clock.now());
  });
  if (claims.aud !== context.settings.userPoolClientId) throw unsupportedProvider();
  await requireLiveSignIn(context, claims);
  return {
    provider: ownProviderName(context),
    subject: claims.sub,
    originJti: claims.origin_jti,
  };
}

/** Newer clients take the name from the token's issuer, older ones build it from region and pool id. */
function providerNames({ settings }: IdentityContext): readonly string[] {
  return [
    ownProviderName({ settings }),
    `cognito-idp.${settings.region}.amazonaws.com/${settings.userPoolId}`,
  ];
}

function ownProviderName({ settings }: Pick<IdentityContext, 'settings'>): string {
  return settings.issuer.replace(/^https?:\/\//, '');
}

async function requireLiveSignIn(context: IdentityContext, claims: PoolClaims): Promise<void> {
  const user = await findUserBySub(context.pool, claims.sub);
  if (user === undefined || !user.enabled) {
    throw notAuthorized('Invalid login token. User is disabled or deleted.');
  }
  if (await isOriginRevoked(context.pool, claims.origin_jti)) {
    throw notAuthorized('Invalid login token. Token has been revoked.');
  }
}

function unsupportedProvider(): WireError {
  return notAuthorized('Token is not from a supported provider of this identity pool.');
}

function refusalOf(error: unknown, nowMs: number): unknown {
  if (!(error instanceof TokenFaultError)) return error;
  switch (error.fault) {
    case 'expired':
      return notAuthorized(
        `Invalid login token. Token expired: ${Math.floor(nowMs / 1_000)} >= ${error.exp ?? 0}`,
      );
    case 'tokenUse':
      return notAuthorized('Invalid login token. Missing a required claim: aud');
    case 'signature':
      return notAuthorized('Invalid login token. Token signature invalid.');
    case 'issuer':
      return notAuthorized("Invalid login token. Issuer doesn't match providerName");
    case 'malformed':
      return notAuthorized('Invalid login token. Not a valid token.');
  }
}
