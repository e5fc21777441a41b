import { findRefreshToken, revokeOrigin } from '../../sessions/refresh-token-store.ts';
import type { CallOrigin } from '../wire/call-origin.ts';
import { invalidParameter, WireError } from '../wire/wire-error.ts';
import { requireClientSecret } from './client-secret.ts';
import { requireAppClient } from './find-sign-in-user.ts';
import type { PoolContext } from './pool-context.ts';
import { revocationTimes } from './revocation-times.ts';

/**
 * Ends one sign-in.
 * @throws InvalidParameterException for an unknown token, UnsupportedTokenTypeException for an id or access token
 * @throws UnauthorizedException for a token of another client, UnsupportedOperationException where revocation is off
 */
export async function revokeToken(
  context: PoolContext,
  input: {
    readonly clientId: string;
    readonly token: string;
    readonly clientSecret: string | undefined;
  },
  origin: CallOrigin,
): Promise<void> {
  const client = await requireAppClient(context.pool, input.clientId);
  requireClientSecret(context, client, input.clientSecret);
  if (!client.tokenRevocation) {
    throw new WireError(
      'UnsupportedOperationException',
      'Revoke token operation is not enabled for this client',
    );
  }
  if (input.token.split('.').length === 3) {
    throw new WireError('UnsupportedTokenTypeException', 'Unsupported token type');
  }
  const token = await findRefreshToken(context.pool, context.hash('refresh-token', input.token));
  if (token === undefined) throw invalidParameter('Invalid Refresh Token');
  if (token.clientId !== input.clientId) {
    throw new WireError('UnauthorizedException', 'Client is not authorized to revoke this token');
  }
  await revokeOrigin(context.pool, token, revocationTimes(context));
  context.record({
    kind: 'revoked',
    at: new Date(context.clock.now()),
    sub: token.sub,
    username: undefined,
    address: origin.address,
    requestId: origin.requestId,
  });
}
