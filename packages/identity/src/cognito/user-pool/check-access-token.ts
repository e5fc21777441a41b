import { isOriginRevoked } from '../../sessions/refresh-token-store.ts';
import { findUserBySub, type PoolUser } from '../../accounts/pool-account-store.ts';
import { TokenRefusal } from '../../tokens/token-refusal.ts';
import { notAuthorized, type WireError } from '../wire/wire-error.ts';
import { requireEnabled, userDoesNotExist } from './find-sign-in-user.ts';
import { ACCESS_SCOPE } from './issue-tokens.ts';
import type { PoolContext } from './pool-context.ts';

/**
 * The user of an access token, for operations that a user calls for themself.
 * @throws NotAuthorizedException with the message of cognito.md (GetUser) for each fault
 */
export async function requireTokenUser(
  context: PoolContext,
  accessToken: string,
): Promise<PoolUser> {
  const claims = await context.tokens(accessToken, 'access').catch((error: unknown) => {
    throw refusalOf(error, accessToken);
  });
  if (await isOriginRevoked(context.pool, claims.origin_jti)) {
    throw notAuthorized('Access Token has been revoked');
  }
  if (!(claims.scope ?? '').split(' ').includes(ACCESS_SCOPE)) {
    throw notAuthorized('Access Token does not have required scopes');
  }
  const user = await findUserBySub(context.pool, claims.sub);
  if (user === undefined) throw userDoesNotExist();
  requireEnabled(user);
  return user;
}

function refusalOf(error: unknown, token: string): WireError | unknown {
  if (!(error instanceof TokenRefusal)) return error;
  if (error.fault === 'expired-token') return notAuthorized('Access Token has expired');
  // An id token is signed with another key than an access token: for this operation its signature is a wrong one.
  return error.fault === 'wrong-issuer' || token.split('.').length !== 3
    ? notAuthorized('Invalid Access Token', error.fault)
    : notAuthorized('Could not verify signature for Access Token');
}
