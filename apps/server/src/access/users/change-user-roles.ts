import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import type { AccessDeps } from '../access-deps.ts';
import {
  loadGranter,
  requireCanAssign,
  requireCanRemove,
  requireOtherUser,
} from '../roles/granter.ts';
import { serializeAccessChange } from '../serialize-access-change.ts';
import { updateAdminGroup } from './update-admin-group.ts';
import { requireAnotherAdministrator } from '../require-another-administrator.ts';
import {
  addRoles,
  findRolesByIds,
  removeRoles,
  requireUser,
  type HeldRole,
} from '../data/user-role-queries.ts';

export interface UserRolesChange {
  readonly id: string;
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/**
 * Assigns roles to a user and removes them. New administrators join the group of the user pool, former ones leave it.
 * @throws PortalError 2003; 1000 for the caller themselves, or for permissions that the caller does not have; 2004 for
 * the last administrator
 */
export function changeUserRoles(
  deps: Pick<AccessDeps, 'database' | 'directory'>,
  caller: Caller,
  change: UserRolesChange,
): Promise<void> {
  return serializeAccessChange(deps.database, (tx) => applyUserRoles(tx, deps, caller, change));
}

/** The change in a transaction that `serializeAccessChange` has started. */
export async function applyUserRoles(
  tx: Transaction,
  { directory }: Pick<AccessDeps, 'directory'>,
  caller: Caller,
  { id, add, remove }: UserRolesChange,
): Promise<void> {
  const granter = await loadGranter(tx, directory, caller);
  requireOtherUser(granter, id);
  const user = await requireUser(tx, id);
  const given = await requireRoles(tx, add);
  const taken = user.roles.filter((role) => remove.includes(role.id));
  for (const role of given) requireCanAssign(granter, role);
  for (const role of taken) requireCanRemove(granter, role);
  const isNew = ({ id: roleId }: HeldRole) => !user.roles.some((held) => held.id === roleId);
  const added = given.filter(isNew);
  if (added.length === 0 && taken.length === 0) return;
  await requireAnotherAdministrator(tx, granter, { userId: id, roles: taken });
  await addRoles(tx, id, add);
  await removeRoles(tx, id, remove);
  await updateAdminGroup(tx, directory, { user, roles: added, isMember: true, caller });
  await updateAdminGroup(tx, directory, { user, roles: taken, isMember: false, caller });
  await recordAudit(tx, [
    {
      type: 'access.user-roles-changed',
      actor: actorOf(caller.viewer, caller),
      requestId: caller.requestId,
      data: {
        userId: id,
        username: user.username,
        before: { roles: user.roles.map(({ name }) => name) },
        after: { roles: rolesAfter(user.roles, { added, taken }) },
        added: added.map(({ name }) => name),
        removed: taken.map(({ name }) => name),
      },
    },
  ]);
}

function rolesAfter(
  held: readonly HeldRole[],
  { added, taken }: { readonly added: readonly HeldRole[]; readonly taken: readonly HeldRole[] },
): string[] {
  const kept = held.filter(({ id }) => !taken.some((role) => role.id === id));
  return [...kept, ...added].map(({ name }) => name).toSorted();
}

/** @throws PortalError 2004 if a role does not exist or was deleted */
export async function requireRoles(
  tx: Parameters<typeof findRolesByIds>[0],
  ids: readonly string[],
): Promise<HeldRole[]> {
  const found = await findRolesByIds(tx, ids);
  const missing = ids.filter((id) => !found.some((role) => role.id === id));
  if (missing.length === 0) return found;
  throw refuse('role-gone', { field: 'roleIds', facts: { role: missing[0] ?? '' } });
}
