import { and, asc, eq, exists, inArray, or, sql } from 'drizzle-orm';
import { PortalError } from '@deviceportal/contract/errors';
import type { Grant } from '@deviceportal/contract/permissions';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { portalUser, role, userRole } from './access-tables.ts';
import { isAdministratorRole } from './current-grants.ts';
import { markAdmitted } from './user-queries.ts';
import { givenRoles } from './user-roles.ts';

export interface HeldRole extends Grant {
  readonly id: string;
  readonly name: string;
}

/** A user with their assigned (permanent) roles. */
export interface UserWithRoles extends Readonly<
  Pick<
    typeof portalUser.$inferSelect,
    'id' | 'subject' | 'username' | 'email' | 'phone' | 'status' | 'lastSignInAt'
  >
> {
  readonly roles: readonly HeldRole[];
}

/** @throws PortalError 2003 if the user does not exist */
export async function requireUser(on: Executor, id: string): Promise<UserWithRoles> {
  const [found] = await on
    .select({
      id: portalUser.id,
      subject: portalUser.subject,
      username: portalUser.username,
      email: portalUser.email,
      phone: portalUser.phone,
      status: portalUser.status,
      lastSignInAt: portalUser.lastSignInAt,
      roles: givenRoles,
    })
    .from(portalUser)
    .leftJoin(userRole, eq(userRole.userId, portalUser.id))
    .leftJoin(role, eq(role.id, userRole.roleId))
    .where(eq(portalUser.id, id))
    .groupBy(portalUser.id);
  if (found === undefined) throw new PortalError('notFound', { facts: { id } });
  return found;
}

export async function findRolesByIds(on: Executor, ids: readonly string[]): Promise<HeldRole[]> {
  return on
    .select({ id: role.id, name: role.name, permissions: role.permissions, scope: role.scope })
    .from(role)
    .where(inArray(role.id, [...ids]))
    .orderBy(asc(role.name));
}

export async function holdsRole(on: Executor, userId: string, roleId: string): Promise<boolean> {
  const rows = await on
    .select({ userId: userRole.userId })
    .from(userRole)
    .where(and(eq(userRole.userId, userId), eq(userRole.roleId, roleId)));
  return rows.length > 0;
}

export async function addRoles(
  tx: Transaction,
  userId: string,
  roleIds: readonly string[],
): Promise<void> {
  if (roleIds.length === 0) return;
  await tx
    .insert(userRole)
    .values(roleIds.map((roleId) => ({ userId, roleId })))
    .onConflictDoNothing();
  await markAdmitted(tx, userId);
}

/** Assigns a role by its name, case-insensitively. */
export async function grantRole(on: Executor, userId: string, name: string): Promise<void> {
  await on
    .insert(userRole)
    .select(
      on
        .select({ userId: sql<string>`${userId}::uuid`.as('user_id'), roleId: role.id })
        .from(role)
        .where(sql`lower(${role.name}) = lower(${name})`),
    )
    .onConflictDoNothing();
  await markAdmitted(on, userId);
}

export async function removeRoles(
  tx: Transaction,
  userId: string,
  roleIds: readonly string[],
): Promise<void> {
  await tx
    .delete(userRole)
    .where(and(eq(userRole.userId, userId), inArray(userRole.roleId, [...roleIds])));
}

/** Whether an active user, other than one who is about to lose it, is an administrator. */
export async function hasAdministrator(on: Executor, without: string | null): Promise<boolean> {
  const given = on
    .select({ roleId: userRole.roleId })
    .from(userRole)
    .innerJoin(role, eq(role.id, userRole.roleId))
    .where(and(eq(userRole.userId, portalUser.id), isAdministratorRole));
  const rows = await on
    .select({ id: portalUser.id })
    .from(portalUser)
    .where(
      and(
        eq(portalUser.status, 'Activated'),
        sql`${portalUser.id} is distinct from ${without}::uuid`,
        or(portalUser.inAdminGroup, exists(given)),
      ),
    )
    .limit(1);
  return rows.length > 0;
}
