import type { ScimConnectionEdit } from '@deviceportal/contract/scim';
import type { Caller } from '../../../platform/viewer.ts';
import type { AccessDeps } from '../../access-deps.ts';
import { changeConnection, lockConnection } from '../../data/scim/scim-connection-queries.ts';
import { findRolesByIds } from '../../data/user-role-queries.ts';
import { requireRoles } from '../../users/change-user-roles.ts';
import { serializeAccessChange } from '../../serialize-access-change.ts';
import { recordScim } from '../record-scim.ts';
import { requireFullAdministrator } from './require-full-administrator.ts';

/** Changes the name, and the roles whose members the directory decides. @throws PortalError 1000, 2003, 2004 */
export function editConnection(
  deps: Pick<AccessDeps, 'database' | 'directory'>,
  caller: Caller,
  { id, name, roleIds }: ScimConnectionEdit,
): Promise<void> {
  return serializeAccessChange(deps.database, async (tx) => {
    await requireFullAdministrator(tx, deps, caller);
    const before = await lockConnection(tx, id);
    const roles = await requireRoles(tx, roleIds);
    await changeConnection(tx, id, { name, roleIds });
    const namesOf = (of: readonly { readonly name: string }[]) => of.map((role) => role.name);
    await recordScim(tx, caller, 'access.directory-connection-changed', {
      ...{ connectionId: id, connection: name },
      before: { name: before.name, roles: namesOf(await findRolesByIds(tx, before.roleIds)) },
      after: { name, roles: namesOf(roles) },
    });
  });
}
