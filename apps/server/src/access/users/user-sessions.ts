import type { UserSession } from '@deviceportal/contract/access';
import { refuse } from '@deviceportal/contract/refuse';
import { findSignIns } from '../../audit-trail/data/find-sign-ins.ts';
import { inTransaction, type Executor } from '../../platform/database/database.ts';
import type { Caller, Viewer } from '../../platform/viewer.ts';
import type { AccessDeps } from '../access-deps.ts';
import { loadGranter, requireCanRemove } from '../roles/granter.ts';
import type { DirectoryAdministration } from './user-directory.ts';
import { requireUser } from '../data/user-role-queries.ts';

type Deps = Pick<AccessDeps, 'database' | 'directory'>;

/** Active sessions of a user; empty if users sign in elsewhere. */
export async function listUserSessions(
  { database, directory }: Deps,
  viewer: Viewer,
  id: string,
): Promise<UserSession[]> {
  const user = await requireUser(database.orm, id);
  const sessions = (await directory.administration?.listSessions(user.subject)) ?? [];
  const addresses = await addressesOf(database.orm, id, sessions);
  return sessions.map((session) => ({
    id: session.id,
    signedInAt: session.signedInAt.toISOString(),
    endsAt: session.endsAt.toISOString(),
    address: addresses.get(secondOf(session.signedInAt)) ?? null,
    current: session.id === viewer.signInId,
  }));
}

/** Ends one session, or all if none is given. The user pool records it. Users can end their own sessions. */
export async function endUserSessions(
  { database, directory }: Deps,
  caller: Caller,
  { id, sessionId }: { readonly id: string; readonly sessionId?: string },
): Promise<void> {
  const pool = requireAdministration(directory);
  await inTransaction(database, async (tx) => {
    const user = await requireUser(tx, id);
    if (id !== caller.viewer.userId) {
      const granter = await loadGranter(tx, directory, caller);
      for (const role of user.roles) requireCanRemove(granter, role);
    }
    if (sessionId === undefined) await pool.endAllSessions(user.subject, caller);
    else await pool.endSession(user.subject, sessionId, caller);
  });
}

/** @throws PortalError 2004 if users are managed at an external provider */
export function requireAdministration({
  administration,
}: AccessDeps['directory']): DirectoryAdministration {
  if (administration !== undefined) return administration;
  throw refuse('users-kept-elsewhere');
}

/** Tokens contain the time of sign-in in whole seconds. */
const secondOf = (at: Date): number => Math.floor(at.getTime() / 1_000);

async function addressesOf(
  executor: Executor,
  userId: string,
  sessions: readonly { readonly signedInAt: Date }[],
): Promise<Map<number, string | null>> {
  const oldest = sessions.at(-1)?.signedInAt;
  if (oldest === undefined) return new Map();
  const signIns = await findSignIns(executor, userId, oldest);
  return new Map(signIns.map(({ at, address }) => [secondOf(new Date(at)), address]));
}
