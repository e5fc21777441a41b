import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import { ADMINISTRATOR } from '@deviceportal/contract/permissions';
import type { Passkeys } from '@deviceportal/identity/passkeys';
import { originOf } from '../access/act-origin.ts';
import type { AccessDeps } from '../access/access-deps.ts';
import { findRoleGrant } from '../access/data/role-queries.ts';
import { requireUser } from '../access/data/user-role-queries.ts';
import { findUserBySubject } from '../access/data/user-queries.ts';
import {
  loadGranter,
  requireCanRemove,
  requireOtherUser,
  type Granter,
} from '../access/roles/granter.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { ownerOfPasskeys } from './owner-of-passkeys.ts';

export interface UserPasskeysDeps {
  readonly passkeys: Pick<Passkeys, 'overview' | 'removeAll'>;
}

type Deps = Pick<AccessDeps, 'database' | 'directory'> & UserPasskeysDeps;

/** The number of passkeys of a user. */
export async function countUserPasskeys(
  { database, passkeys }: Pick<Deps, 'database' | 'passkeys'>,
  id: string,
): Promise<number> {
  const { subject } = await requireUser(database.orm, id);
  return (await passkeys.overview(subject)).passkeys.length;
}

/**
 * Removes all passkeys and recovery codes of a user who lost them. The identity store records it and notifies the user.
 * Does nothing if there are none.
 * @throws PortalError 2003; 1000 for the caller themselves, or for a user with more permissions
 */
export async function removeUserPasskeys(deps: Deps, caller: Caller, id: string): Promise<void> {
  const { database, directory, passkeys } = deps;
  await inTransaction(database, async (tx) => {
    const granter = await loadGranter(tx, directory, caller);
    requireOtherUser(granter, id);
    const user = await requireUser(tx, id);
    await requireNoMoreRights(tx, deps, { granter, subject: user.subject });
    await passkeys.removeAll(ownerOfPasskeys(user), originOf(caller));
  });
}

/** With a removed passkey, a code signs in: only a user with the same permissions may weaken a sign-in like this. */
async function requireNoMoreRights(
  tx: Transaction,
  { directory: { administration } }: Deps,
  { granter, subject }: { readonly granter: Granter; readonly subject: string },
): Promise<void> {
  const user = await findUserBySubject(tx, subject);
  for (const grant of [...(user?.grants ?? []), ...(user?.temporary ?? [])]) {
    requireCanRemove(granter, grant);
  }
  const isMember =
    user?.inAdminGroup === true ||
    (await administration?.groupsOf(subject))?.includes(ADMIN_GROUP) === true;
  const byGroup = isMember ? await findRoleGrant(tx, ADMINISTRATOR) : undefined;
  if (byGroup !== undefined) requireCanRemove(granter, byGroup);
}
