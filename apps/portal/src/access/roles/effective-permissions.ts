import type { RoleRow } from '@deviceportal/contract/access';
import type { Permission } from '@deviceportal/contract/permissions';
import { sortPermissions } from './permission-words.ts';

export interface EffectivePermission {
  readonly permission: Permission;
  readonly roles: readonly RoleRow[];
}

/** The permissions that a set of roles grants, each with the roles that grant it. */
export function effectivePermissions(
  roleNames: readonly string[],
  roles: readonly RoleRow[],
): EffectivePermission[] {
  const held = roles.filter(({ name }) => roleNames.includes(name));
  const permissions = [...new Set(held.flatMap((role) => role.permissions))];
  return sortPermissions(permissions).map((permission) => ({
    permission,
    roles: held.filter((role) => role.permissions.includes(permission)),
  }));
}
