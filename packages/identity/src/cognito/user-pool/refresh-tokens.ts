import { randomSecret } from '../../secrets/secret-hash.ts';
import type { AppClient } from './app-client-store.ts';
import { inTransaction } from '../../database/in-transaction.ts';
import {
  findRefreshToken,
  holdOffRevocation,
  insertRefreshToken,
  markRotated,
  revokeOrigin,
  type RefreshToken,
} from '../../sessions/refresh-token-store.ts';
import { findUserBySub, type PoolUser } from '../../accounts/pool-account-store.ts';
import { notAuthorized, WireError } from '../wire/wire-error.ts';
import { requireEnabled, userDoesNotExist, userIsDisabled } from './find-sign-in-user.ts';
import { issueTokens, REFRESH_TOKEN_BYTES, type AuthenticationResult } from './issue-tokens.ts';
import type { PoolContext } from './pool-context.ts';
import { revocationTimes } from './revocation-times.ts';

export interface RefreshInput {
  readonly client: AppClient;
  readonly refreshToken: string;
  /** Checks that the caller is the client, once it is known whose token this is. */
  readonly checkSecret?: (user: PoolUser) => void;
}

/**
 * New id and access tokens for a refresh token. Its life counts from sign-in and is not prolonged. Where the client
 * rotates refresh tokens a successor comes with them, and the old one works for the grace time only.
 * @throws NotAuthorizedException for a token that is unknown, of another client, revoked or too old
 * @throws RefreshTokenReuseException for one used again after the grace time: its whole sign-in ends with it
 */
export async function refreshTokens(
  context: PoolContext,
  input: RefreshInput,
): Promise<AuthenticationResult> {
  const { client } = input;
  const hash = context.hash('refresh-token', input.refreshToken);
  const token = await findRefreshToken(context.pool, hash);
  if (token === undefined || token.clientId !== client.clientId) {
    throw notAuthorized('Invalid Refresh Token');
  }
  const user = await findUserBySub(context.pool, token.sub);
  if (user === undefined) throw userDoesNotExist();
  input.checkSecret?.(user);
  requireEnabled(user);
  requireAlive(context, token);
  if (!client.refreshTokenRotation && token.rotatedAt === null) {
    return issueTokens(context, user, token);
  }
  const successor = await exchange(context, client, token);
  return { ...(await issueTokens(context, user, token)), RefreshToken: successor };
}

function requireAlive({ clock }: PoolContext, token: RefreshToken): void {
  if (token.revokedAt !== null) throw isRevoked();
  // Whole seconds, as in the tokens: one that could only issue a token of no life is at its end.
  const lifeLeftSeconds =
    Math.floor(token.expiresAt.getTime() / 1_000) - Math.floor(clock.now() / 1_000);
  if (lifeLeftSeconds <= 0) throw notAuthorized('Refresh Token has expired');
}

/** The second use of a refresh token, by an attacker or by the user, ends the session for both. */
async function exchange(
  context: PoolContext,
  client: AppClient,
  token: RefreshToken,
): Promise<string> {
  const text = randomSecret(REFRESH_TOKEN_BYTES);
  const outcome = await inTransaction(context.pool, async (db) => {
    await holdOffRevocation(db, token.sub);
    const nowMs = context.clock.now();
    const isFirst = await markRotated(db, token.tokenHash, new Date(nowMs));
    const current = await findRefreshToken(db, token.tokenHash);
    if (current === undefined || current.revokedAt !== null) return 'revoked';
    const graceEndsMs =
      (current.rotatedAt?.getTime() ?? nowMs) + client.retryGracePeriodSeconds * 1_000;
    if (!isFirst && nowMs >= graceEndsMs) return 'reused';
    const next = { ...token, tokenHash: context.hash('refresh-token', text) };
    return (await insertRefreshToken(db, next)) ? 'exchanged' : 'disabled';
  });
  if (outcome === 'revoked') throw isRevoked();
  if (outcome === 'disabled') throw userIsDisabled();
  if (outcome === 'reused') {
    await revokeOrigin(context.pool, token, revocationTimes(context));
    throw new WireError(
      'RefreshTokenReuseException',
      'Refresh token reuse detected, the refresh token has been revoked',
    );
  }
  return text;
}

function isRevoked(): WireError {
  return notAuthorized('Refresh Token has been revoked');
}
