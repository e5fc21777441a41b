import type { RateLimitRule } from '../../limits/rate-limits.ts';
import type { ProviderContext } from '../../provider/provider-context.ts';
import type { SignedIn } from '../../sign-in/sign-ins.ts';
import type { Caller } from '../../provider/wire/caller.ts';
import { ProviderError } from '../../provider/wire/provider-error.ts';
import { refusals } from '../../provider/wire/refusals.ts';
import { admitOutsidePerson } from '../admit-outside-person.ts';
import { connectionRefusals } from '../connection-refusals.ts';
import { isDirectory, type DirectoryConnection } from '../connection.ts';
import type { OutsidePerson } from '../outside-person.ts';
import { findInDirectory } from './search-directory.ts';

/** Input of a sign-in with a directory. */
export interface DirectoryLogin {
  readonly username: string;
  readonly password: string;
}

const MINUTE_MS = 60_000;
/** A directory may lock an account after fewer wrong passwords than this: it counts for itself. */
const rules = {
  account: { name: 'provider-directory-account', hits: 10, windowMs: 15 * MINUTE_MS },
  address: { name: 'provider-directory-address', hits: 60, windowMs: 15 * MINUTE_MS },
} as const satisfies Record<string, RateLimitRule>;

/**
 * Signs in with the password of a directory.
 * @throws ProviderError unknownConnection, wrongPassword, unreachable, tooManyRequests, and the
 * errors of a sign-in
 */
export async function signInByDirectory(
  context: ProviderContext,
  protocol: DirectoryConnection['protocol'],
  login: DirectoryLogin,
  caller: Caller,
): Promise<SignedIn> {
  const connections = context.settings.connections
    .filter(isDirectory)
    .filter((each) => each.protocol === protocol);
  if (connections.length === 0) throw new ProviderError(connectionRefusals.unknownConnection);
  const { connection, person } = await findPerson(context, connections, login, caller);
  const user = await admitOutsidePerson(context, connection, person);
  return context.signIns.complete(user, caller, { method: `${protocol}:${connection.identifier}` });
}

/** @throws ProviderError wrongPassword, also without such a person; unreachable; tooManyRequests */
async function findPerson(
  context: ProviderContext,
  connections: readonly DirectoryConnection[],
  login: DirectoryLogin,
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
