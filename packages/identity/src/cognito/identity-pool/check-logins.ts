import { decodeJwt } from 'jose';
import { readGroupNames } from '../user-pool/group-store.ts';
import type { Login } from './identity-store.ts';
import { isOriginRevoked } from '../../sessions/refresh-token-store.ts';
import { findUserBySub, type PoolUser } from '../../accounts/pool-account-store.ts';
import { TokenRefusal } from '../../tokens/token-refusal.ts';
import type { PoolClaims } from '../user-pool/pool-claims.ts';
import { invalidParameter, notAuthorized, WireError } from '../wire/wire-error.ts';
import type { CallOrigin } from '../wire/call-origin.ts';
import type { IdentityContext } from './identity-context.ts';
import type { CredentialPerson } from './issue-credential.ts';
import { OutsideLoginError, type OutsideLogins } from './outside-logins.ts';

/** A login whose token was checked. */
export interface CheckedLogin extends Login {
  readonly person: CredentialPerson;
  /** Every claim of the id token, for the choice of the role. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * Checks the `Logins` of a request: provider, token, client, and, depending on the setting, that
 * the session is active (server-side token check). Without logins: undefined, a guest.
 * @throws NotAuthorizedException with the messages of cognito.md, section 6, or
 * ExternalServiceException
 */
export async function checkLogins(
  context: IdentityContext,
  logins: Readonly<Record<string, string>> | undefined,
  origin: CallOrigin,
): Promise<CheckedLogin | undefined> {
  const entries = Object.entries(logins ?? {});
  const [entry] = entries;
  if (entry === undefined) return undefined;
  if (entries.length > 1) throw invalidParameter('Please provide one login.');
  const [provider, token] = entry;
  const { outside } = context;
  if (outside !== undefined) return checkOutside(outside, { provider, token, origin });
  if (!providerNames(context).includes(provider)) throw unsupportedProvider();
  const claims = await context.tokens(token, 'id').catch((error: unknown) => {
    throw refusalOf(error, context.clock.now());
  });
  if (claims.aud !== context.settings.userPoolClientId) throw unsupportedProvider();
  const { username } = await requireUser(context, claims);
  const groups = await readGroupNames(context.pool, claims.sub);
  return {
    provider: ownProviderName(context),
    subject: claims.sub,
    person: { sub: claims.sub, username, groups, originJti: claims.origin_jti },
    claims: decodeJwt(token),
  };
}

/** The roles that a hosted pool's groups name are its own account's: none of them is known here. */
const FOREIGN_ROLE_CLAIMS = new Set(['cognito:roles', 'cognito:preferred_role']);

async function checkOutside(
  outside: OutsideLogins,
  login: { readonly provider: string; readonly token: string; readonly origin: CallOrigin },
): Promise<CheckedLogin> {
  if (!outside.providerNames.includes(login.provider)) throw unsupportedProvider();
  const { subject, username, groups, claims, sessionEndsAt } = await outside
    .check(login.token, login.origin)
    .catch((error: unknown) => {
      if (!(error instanceof OutsideLoginError)) throw error;
      throw error.fault === 'refused'
        ? notAuthorized('Invalid login token. Not a valid token of a user who can sign in.')
        : new WireError('ExternalServiceException', 'The login could not be checked.', {
            cause: error,
          });
    });
  return {
    provider: outside.providerNames[0],
    subject,
    person: { sub: subject, username, groups, originJti: null, sessionEndsAt },
    claims: Object.fromEntries(
      Object.entries(claims).filter(([claim]) => !FOREIGN_ROLE_CLAIMS.has(claim)),
    ),
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

async function requireUser(context: IdentityContext, claims: PoolClaims): Promise<PoolUser> {
  const isChecked = context.settings.serverSideTokenCheck === 'on';
  const user = await findUserBySub(context.pool, claims.sub);
  if (user === undefined || (isChecked && !user.enabled)) {
    throw notAuthorized('Invalid login token. User is disabled or deleted.');
  }
  if (isChecked && (await isOriginRevoked(context.pool, claims.origin_jti))) {
    throw notAuthorized('Invalid login token. Token has been revoked.');
  }
  return user;
}

function unsupportedProvider(): WireError {
  return notAuthorized('Token is not from a supported provider of this identity pool.');
}

function refusalOf(error: unknown, nowMs: number): unknown {
  if (!(error instanceof TokenRefusal)) return error;
  switch (error.fault) {
    case 'expired-token':
      return notAuthorized(
        `Invalid login token. Token expired: ${Math.floor(nowMs / 1_000)} >= ${error.exp ?? 0}`,
      );
    case 'wrong-token-use':
      return notAuthorized('Invalid login token. Missing a required claim: aud');
    case 'bad-signature':
    case 'key-not-found':
      return notAuthorized('Invalid login token. Token signature invalid.');
    case 'wrong-issuer':
      return notAuthorized("Invalid login token. Issuer doesn't match providerName");
    default:
      return notAuthorized('Invalid login token. Not a valid token.');
  }
}
