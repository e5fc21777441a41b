import type { Transaction } from '../../../platform/database/database.ts';
import { serializeAccessChange } from '../../serialize-access-change.ts';
import { applyUserRoles } from '../../users/change-user-roles.ts';
import {
  listMembers,
  requireDirectoryGroup,
  storeGroupExternalId,
  type DirectoryGroup,
} from '../../data/scim/scim-group-queries.ts';
import { findListedIds } from '../../data/scim/scim-user-queries.ts';
import type { DirectoryCaller } from '../connection-caller.ts';
import { applyPatch } from '../protocol/apply-patch.ts';
import { requireVersion } from '../protocol/etag.ts';
import {
  groupAttributes,
  groupResource,
  readGroup,
  type GroupMember,
} from '../protocol/group-resource.ts';
import { ScimError, invalid } from '../protocol/scim-error.ts';
import type { ResourceChange } from '../users/change-directory-user.ts';
import type { ScimDeps } from '../scim-deps.ts';

/**
 * Replaces or patches the members of a role, all or none.
 * @throws ScimError 403 for a role that the connection does not assign, 400 for another name or unknown members;
 * PortalError for the last administrator
 */
export function changeDirectoryGroup(
  deps: ScimDeps,
  caller: DirectoryCaller,
  { id, method, body, ifMatch, baseUrl }: ResourceChange,
): Promise<void> {
  return serializeAccessChange(deps.database, async (tx) => {
    const group = await requireDirectoryGroup(tx, id);
    const members = (await listMembers(tx, [group.id])).get(group.id) ?? [];
    const before = groupResource(group, members, baseUrl);
    requireVersion(ifMatch, before.meta.version);
    const wanted = readGroup(method === 'PUT' ? body : applyPatch(groupAttributes, before, body));
    if (wanted.displayName.toLowerCase() !== group.name.toLowerCase()) {
      throw invalid('Roles are renamed in the portal.', 'mutability');
    }
    await changeMembers(tx, deps, { caller, group, members, wanted: wanted.members });
    const externalId = wanted.externalId ?? null;
    if (externalId !== group.externalId) await storeGroupExternalId(tx, group.id, externalId);
  });
}

interface MemberChange {
  readonly caller: DirectoryCaller;
  readonly group: DirectoryGroup;
  readonly members: readonly GroupMember[];
  readonly wanted: readonly { readonly value: string }[];
}

async function changeMembers(
  tx: Transaction,
  deps: Pick<ScimDeps, 'directory'>,
  { caller, group, members, wanted }: MemberChange,
): Promise<void> {
  const has = new Set(members.map(({ id }) => id));
  const wants = new Set(wanted.map(({ value }) => value.toLowerCase()));
  const added = [...wants.difference(has)];
  const removed = [...has.difference(wants)];
  if (added.length === 0 && removed.length === 0) return;
  if (!caller.connection.roleIds.includes(group.id)) {
    throw new ScimError(403, `This connection does not assign the role ${group.name}.`);
  }
  const known = await findListedIds(tx, added);
  if (known.length < added.length) throw invalid('A member is not a user.');
  for (const id of added)
    await applyUserRoles(tx, deps, caller, { id, add: [group.id], remove: [] });
  for (const id of removed) {
    await applyUserRoles(tx, deps, caller, { id, add: [], remove: [group.id] });
  }
}
