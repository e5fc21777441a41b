import { revokeAllOfUser } from '../../sessions/refresh-token-store.ts';
import type { CallOrigin } from '../wire/call-origin.ts';
import { requireTokenUser } from './check-access-token.ts';
import type { PoolContext } from './pool-context.ts';
import { revocationTimes } from './revocation-times.ts';

/** Ends every sign-in of the token's user. */
export async function globalSignOut(
  context: PoolContext,
  accessToken: string,
  origin: CallOrigin,
): Promise<void> {
  const user = await requireTokenUser(context, accessToken);
  await revokeAllOfUser(context.pool, user.sub, revocationTimes(context));
  context.record({
    kind: 'signedOut',
    at: new Date(context.clock.now()),
    sub: user.sub,
    username: user.username,
    address: origin.address,
    requestId: origin.requestId,
  });
}
