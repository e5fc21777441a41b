import { refuse } from '@deviceportal/contract/refuse';
import { countServiceTokens } from '../../api-tokens/data/count-service-tokens.ts';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import type { Caller } from '../../platform/viewer.ts';
import type { AccessDeps } from '../access-deps.ts';
import { endAccessGrantsOf } from '../access-grants/end-access-grants.ts';
import { requireOwnRole } from './edit-role.ts';
import { loadGranter, requireCanRemove } from './granter.ts';
import { serializeAccessChange } from '../serialize-access-change.ts';
import { deleteRoleRow, requireRole } from '../data/role-queries.ts';
import { holdsRole } from '../data/user-role-queries.ts';

/**
 * Deletes a role and removes it from all users who have it.
 * @throws PortalError 2003; 2004 for a built-in role; 1000 for permissions that the caller does not have, or has only
 * by this role
 */
export function deleteRole(
  { database, directory }: Pick<AccessDeps, 'database' | 'directory'>,
  caller: Caller,
  id: string,
): Promise<void> {
  return serializeAccessChange(database, async (tx) => {
    const granter = await loadGranter(tx, directory, caller);
    const role = await requireRole(tx, id);
    requireOwnRole(role);
    requireCanRemove(granter, role);
    if (await holdsRole(tx, granter.userId, id)) {
      throw refuse('own-role', { facts: { permission: 'access:manage' } });
    }
    await deleteRoleRow(tx, id);
    await endAccessGrantsOf(tx, caller, { roleId: id });
    await recordAudit(tx, [
      {
        type: 'access.role-deleted',
        actor: actorOf(caller.viewer, caller),
        requestId: caller.requestId,
        data: {
          roleId: id,
          role: role.name,
          permissions: role.permissions,
          scope: role.scope,
          users: role.userCount,
          serviceTokens: await countServiceTokens(tx, id),
        },
      },
    ]);
  });
}
