import type { FastifyInstance } from 'fastify';
import { listMemberships } from '../departments/department-store.ts';
import { toWireDepartment } from '../departments/wire-department.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { Caller } from '../provider/wire/caller.ts';
import { callerOf } from '../provider/wire/caller-of.ts';
import { success } from '../provider/wire/envelope.ts';
import { requireUser } from '../provider/wire/require-user.ts';

/** Sign-out calls, and the organizations of the signed-in user (identity-sdk.md, section 7). */
export function registerLogoutRoutes(app: FastifyInstance, context: ProviderContext): void {
  const { tokens, users, record, clock } = context;

  /** Signing out without an active session also succeeds. */
  const endSignIn = async (caller: Caller, { wholeDevice }: { readonly wholeDevice: boolean }) => {
    const { token, address, requestId } = caller;
    const signIn = token === undefined ? undefined : await tokens.verify(token);
    if (signIn === undefined) return success();
    const { session, userId: sub } = signIn;
    await tokens.endSession(session.id);
    if (wholeDevice && session.deviceId !== null) {
      const others = await tokens.listSessions(sub);
      const same = others.filter(({ deviceId }) => deviceId === session.deviceId);
      for (const { id } of same) await tokens.endSession(id);
    }
    const user = await users.find(sub);
    const username = user?.email ?? user?.username ?? sub;
    const at = new Date(clock.now());
    record({ kind: 'signedOut', at, sub, username, address, requestId });
    return success();
  };

  app.get('/api/v2/logout', async (request) =>
    endSignIn(await callerOf(context, request), { wholeDevice: false }),
  );
  app.get('/logout', async (request) =>
    endSignIn(await callerOf(context, request), { wholeDevice: true }),
  );

  app.get('/api/v2/users/me/orgs', async (request) => {
    const { user } = await requireUser(context, request);
    const memberships = await listMemberships(context.db, user.id, undefined);
    return success(memberships.map(({ department }) => toWireDepartment(department)));
  });
}
