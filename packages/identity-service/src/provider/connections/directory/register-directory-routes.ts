import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { RateLimitRule } from '../../../user-pool/rate-limits.ts';
import type { ProviderContext } from '../../provider-context.ts';
import { toWireUser } from '../../users/wire-user.ts';
import { callerOf, type Caller } from '../../wire/caller.ts';
import { success } from '../../wire/envelope.ts';
import { ProviderError } from '../../wire/provider-error.ts';
import { refusals } from '../../wire/refusals.ts';
import { admitOutsidePerson } from '../admit-outside-person.ts';
import { connectionRefusals } from '../connection-refusals.ts';
import { isDirectory, type DirectoryConnection } from '../connection.ts';
import type { OutsidePerson } from '../outside-person.ts';
import { findInDirectory } from './search-directory.ts';

const loginSchema = z.object({
  username: z.string().trim().min(1).max(256),
  password: z.string().min(1).max(1_024),
});
type Login = z.output<typeof loginSchema>;

const MINUTE_MS = 60_000;
/** A directory may lock an account after fewer wrong passwords than this: it counts for itself. */
const rules = {
  account: { name: 'provider-directory-account', hits: 10, windowMs: 15 * MINUTE_MS },
  address: { name: 'provider-directory-address', hits: 60, windowMs: 15 * MINUTE_MS },
} as const satisfies Record<string, RateLimitRule>;

/** `POST /api/v2/{ldap,ad}/verify-user`: signs in with the password of a directory (identity-sdk.md, section 7). */
export function registerDirectoryRoutes(app: FastifyInstance, context: ProviderContext): void {
  for (const protocol of ['ldap', 'ad'] as const) {
    app.post(`/api/v2/${protocol}/verify-user`, async (request) => {
      const caller = await callerOf(context, request);
      const login = loginSchema.parse(request.body);
      const connections = context.settings.connections
        .filter(isDirectory)
        .filter((each) => each.protocol === protocol);
      if (connections.length === 0) throw new ProviderError(connectionRefusals.unknownConnection);
      const { connection, person } = await findPerson(context, connections, login, caller);
      const user = await admitOutsidePerson(context, connection, person);
      const { identifier } = connection;
      const signedIn = await context.signIns.complete(user, caller, {
        method: `${protocol}:${identifier}`,
      });
      return success(toWireUser(signedIn.user, signedIn.issued));
    });
  }
}

/** @throws ProviderError wrongPassword, also without such a person; unreachable; tooManyRequests */
async function findPerson(
  context: ProviderContext,
  connections: readonly DirectoryConnection[],
  login: Login,
  caller: Caller,
): Promise<{ readonly connection: DirectoryConnection; readonly person: OutsidePerson }> {
  const account = login.username.toLowerCase();
  await hit(context, rules.address, caller.address);
  await hit(context, rules.account, account);
  for (const connection of connections) {
    const person = await findInDirectory(connection, login).catch((error: unknown) => {
      context.onInternalError(error, `directory ${connection.identifier}`);
      throw new ProviderError(connectionRefusals.unreachable);
    });
    if (person === undefined) continue;
    await context.limits.undo(rules.address, caller.address);
    await context.limits.undo(rules.account, account);
    return { connection, person };
  }
  context.record({
    kind: 'signInRefused',
    at: new Date(context.clock.now()),
    sub: undefined,
    username: login.username,
    address: caller.address,
    requestId: caller.requestId,
    detail: refusals.wrongPassword.en,
  });
  throw new ProviderError(refusals.wrongPassword);
}

async function hit(
  { limits }: Pick<ProviderContext, 'limits'>,
  rule: RateLimitRule,
  subject: string,
): Promise<void> {
  const waitMs = await limits.hit(rule, subject);
  if (waitMs > 0) throw new ProviderError(refusals.tooManyRequests, { waitMs });
}
