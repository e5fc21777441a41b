import { and, asc, eq, sql } from 'drizzle-orm';
import type { Permission, Scope } from '@deviceportal/contract/permissions';
import type { Executor } from '../../platform/database/database.ts';
import { heldGrant, portalUser, role } from './access-tables.ts';
import { isAdministratorRole } from './current-grants.ts';

/** A role that an active user has now. */
export interface HeldRoleOfUser {
  readonly userId: string;
  readonly roleId: string;
  readonly roleName: string;
  readonly permissions: readonly Permission[];
  readonly scope: Scope;
  /** Null for a permanent role. */
  readonly accessGrantId: string | null;
  readonly until: Date | null;
  /** Whether the user has the role only as a member of the administrators' group. */
  readonly isByGroup: boolean;
  readonly lastSignInAt: Date | null;
}

/** Everything that users hold: assigned roles, temporary access, and the administrators' group. */
export async function findHeldRoles(on: Executor): Promise<HeldRoleOfUser[]> {
  const held = on
    .select({
      userId: portalUser.id,
      roleId: heldGrant.roleId,
      roleName: heldGrant.name,
      permissions: heldGrant.permissions,
      scope: heldGrant.scope,
      accessGrantId: heldGrant.accessGrantId,
      until: heldGrant.until,
      isByGroup: sql<boolean>`false`.as('is_by_group'),
      lastSignInAt: portalUser.lastSignInAt,
    })
    .from(portalUser)
    .innerJoin(heldGrant, eq(heldGrant.userId, portalUser.id))
    .where(eq(portalUser.status, 'Activated'))
    .orderBy(asc(portalUser.id));
  const byGroup = on
    .select({
      userId: portalUser.id,
      roleId: role.id,
      roleName: role.name,
      permissions: role.permissions,
      scope: role.scope,
      lastSignInAt: portalUser.lastSignInAt,
    })
    .from(portalUser)
    .innerJoin(role, isAdministratorRole)
    .where(and(eq(portalUser.status, 'Activated'), portalUser.inAdminGroup));
  const roles = await held;
  const has = new Set(
    roles.map(({ userId, roleId, accessGrantId }) =>
      accessGrantId === null ? `${userId} ${roleId}` : '',
    ),
  );
  const more = (await byGroup).filter(({ userId, roleId }) => !has.has(`${userId} ${roleId}`));
  return [
    ...roles,
    ...more.map((each) => ({ ...each, accessGrantId: null, until: null, isByGroup: true })),
  ];
}
