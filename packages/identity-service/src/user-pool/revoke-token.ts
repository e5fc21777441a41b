import { findRefreshToken, revokeOrigin } from '../store/refresh-token-store.ts';
import type { CallOrigin } from '../wire/call-origin.ts';
import { invalidParameter, WireError } from '../wire/wire-error.ts';
import { requireAppClient } from './find-sign-in-user.ts';
import type { PoolContext } from './pool-context.ts';
import { revocationTimes } from './revocation-times.ts';

/**
 * Ends one sign-in.
 * @throws InvalidParameterException for an unknown token, UnsupportedTokenTypeException for an id or access token
 * @throws UnauthorizedException for a token of another client
 */
export async function revokeToken(
  context: PoolContext,
  input: { readonly clientId: string; readonly token: string },
  origin: CallOrigin,
): Promise<void> {
  await requireAppClient(context.pool, input.clientId);
  if (input.token.split('.').length === 3) {
    throw new WireError('UnsupportedTokenTypeException', 'Unsupported token type');
  }
  const token = await findRefreshToken(context.pool, context.hash('refresh-token', input.token));
  if (token === undefined) throw invalidParameter('Invalid Refresh Token');
  if (token.clientId !== input.clientId) {
    throw new WireError('UnauthorizedException', 'Client is not authorized to revoke this token');
  }
  await revokeOrigin(context.pool, token.originJti, revocationTimes(context));
  context.record({
    kind: 'revoked',
    at: new Date(context.clock.now()),
    sub: token.sub,
    username: undefined,
    address: origin.address,
  });
}
