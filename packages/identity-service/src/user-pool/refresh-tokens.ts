import { findRefreshToken } from '../store/refresh-token-store.ts';
import { findUserBySub } from '../store/user-store.ts';
import { notAuthorized } from '../wire/wire-error.ts';
import { requireEnabled, userDoesNotExist } from './find-sign-in-user.ts';
import { issueTokens, type AuthenticationResult } from './issue-tokens.ts';
import type { PoolContext } from './pool-context.ts';

/**
 * New id and access tokens for a refresh token, without rotation: the refresh token stays and keeps its end.
 * @throws NotAuthorizedException for a token that is unknown, of another client, revoked or too old
 */
export async function refreshTokens(
  context: PoolContext,
  input: { readonly clientId: string; readonly refreshToken: string },
): Promise<AuthenticationResult> {
  const hash = context.hash('refresh-token', input.refreshToken);
  const token = await findRefreshToken(context.pool, hash);
  if (token === undefined || token.clientId !== input.clientId) {
    throw notAuthorized('Invalid Refresh Token');
  }
  if (token.revokedAt !== null) throw notAuthorized('Refresh Token has been revoked');
  // Whole seconds, as in the tokens: one that could only issue a token of no life is at its end.
  const lifeLeftSeconds =
    Math.floor(token.expiresAt.getTime() / 1_000) - Math.floor(context.clock.now() / 1_000);
  if (lifeLeftSeconds <= 0) throw notAuthorized('Refresh Token has expired');
  const user = await findUserBySub(context.pool, token.sub);
  if (user === undefined) throw userDoesNotExist();
  requireEnabled(user);
  return issueTokens(context, user, token);
}
