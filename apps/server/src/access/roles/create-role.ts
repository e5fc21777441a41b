import type { NewRole, RoleRow } from '@deviceportal/contract/access';
import { newId } from '@deviceportal/contract/ids';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { requireRoom } from '../../platform/growth-limits/require-room.ts';
import type { Caller } from '../../platform/viewer.ts';
import type { AccessDeps } from '../access-deps.ts';
import { loadGranter, requireCanAssign } from './granter.ts';
import { serializeAccessChange } from '../serialize-access-change.ts';
import { allRoles, insertRole, requireFreeName, requireRole } from '../data/role-queries.ts';

/** @throws PortalError 7000 if the name is taken; 1000 for permissions that the caller does not have */
export function createRole(
  { database, directory }: Pick<AccessDeps, 'database' | 'directory'>,
  caller: Caller,
  role: NewRole,
): Promise<RoleRow> {
  return serializeAccessChange(database, async (tx) => {
    requireCanAssign(await loadGranter(tx, directory, caller), role);
    const id = newId();
    await requireFreeName(tx, { name: role.name, id });
    await requireRoom(tx, { limit: 'roles', of: '', existing: allRoles(tx) });
    await insertRole(tx, id, role);
    await recordAudit(tx, [
      {
        type: 'access.role-created',
        actor: actorOf(caller.viewer, caller),
        requestId: caller.requestId,
        data: { roleId: id, role: role.name, permissions: role.permissions, scope: role.scope },
      },
    ]);
    return requireRole(tx, id);
  });
}
