import type { RoleEdit, RoleRow } from '@deviceportal/contract/access';
import { refuse } from '@deviceportal/contract/refuse';
import { countServiceTokens } from '../../api-tokens/data/count-service-tokens.ts';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import type { AccessDeps } from '../access-deps.ts';
import { endAccessGrantsOf } from '../access-grants/end-access-grants.ts';
import { loadGranter, requireCanAssign, requireCanRemove, type Granter } from './granter.ts';
import { serializeAccessChange } from '../serialize-access-change.ts';
import { replaceRole, requireFreeName, requireRole } from '../data/role-queries.ts';
import { holdsRole } from '../data/user-role-queries.ts';

/**
 * @throws PortalError 2003; 7000 if the name is taken; 2004 for a built-in role, or if the role was changed since it
 * was read; 1000 for permissions that the caller does not have, or would lose
 */
export function editRole(
  { database, directory }: Pick<AccessDeps, 'database' | 'directory'>,
  caller: Caller,
  edit: RoleEdit,
): Promise<RoleRow> {
  return serializeAccessChange(database, async (tx) => {
    const granter = await loadGranter(tx, directory, caller);
    const before = await requireRole(tx, edit.id);
    requireOwnRole(before);
    if (before.updatedAt !== edit.basedOn) {
      throw refuse('role-changed', { field: 'basedOn' });
    }
    requireCanRemove(granter, before);
    requireCanAssign(granter, edit);
    await requireOwnRightsKept(tx, granter, { before, after: edit });
    await requireFreeName(tx, edit);
    await replaceRole(tx, edit.id, edit);
    await endAccessGrantsOf(tx, caller, { roleId: edit.id });
    await recordAudit(tx, [
      {
        type: 'access.role-edited',
        actor: actorOf(caller.viewer, caller),
        requestId: caller.requestId,
        data: {
          ...{ roleId: edit.id, role: edit.name, ...differenceOf(before, edit) },
          serviceTokens: await countServiceTokens(tx, edit.id),
        },
      },
    ]);
    return requireRole(tx, edit.id);
  });
}

/** @throws PortalError 2004 for a built-in role */
export function requireOwnRole({ builtin, name }: Pick<RoleRow, 'builtin' | 'name'>): void {
  if (!builtin) return;
  throw refuse('role-built-in', { field: 'id', facts: { role: name } });
}

/** Rejects a change by which the caller would lose `access:manage`. */
async function requireOwnRightsKept(
  tx: Transaction,
  granter: Granter,
  { before, after }: { readonly before: RoleRow; readonly after: RoleEdit },
): Promise<void> {
  const isTaken =
    before.permissions.includes('access:manage') && !after.permissions.includes('access:manage');
  if (!isTaken || !(await holdsRole(tx, granter.userId, before.id))) return;
  throw refuse('own-access-lost', { facts: { permission: 'access:manage' } });
}

function differenceOf(before: RoleRow, after: RoleEdit): Record<string, unknown> {
  return {
    before: valuesOf(before),
    after: valuesOf(after),
    added: after.permissions.filter((each) => !before.permissions.includes(each)),
    removed: before.permissions.filter((each) => !after.permissions.includes(each)),
    users: before.userCount,
  };
}

const valuesOf = ({ name, description, permissions, scope }: RoleRow | RoleEdit): object => ({
  ...{ name, description, permissions, scope },
});
