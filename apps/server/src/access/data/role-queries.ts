import { and, asc, count, desc, eq, ne, sql } from 'drizzle-orm';
import type { NewRole, RoleRow } from '@deviceportal/contract/access';
import { PortalError } from '@deviceportal/contract/errors';
import type { Grant, Permission } from '@deviceportal/contract/permissions';
import { portalClock } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isoMicrosOf } from '../../platform/database/iso-micros-of.ts';
import { role, userRole } from './access-tables.ts';
import { contains } from './current-grants.ts';

const isNamed = (name: string) => sql`lower(${role.name}) = lower(${name})`;

export async function listRoles(on: Executor): Promise<RoleRow[]> {
  return on
    .select({
      id: role.id,
      name: role.name,
      description: role.description,
      permissions: role.permissions,
      scope: role.scope,
      builtin: role.builtin,
      updatedAt: isoMicrosOf(role.updatedAt),
      userCount: count(userRole.userId),
    })
    .from(role)
    .leftJoin(userRole, eq(userRole.roleId, role.id))
    .groupBy(role.id)
    .orderBy(desc(role.builtin), asc(role.name));
}

/** @throws PortalError 2003 if the role does not exist */
export async function requireRole(on: Executor, id: string): Promise<RoleRow> {
  const found = (await listRoles(on)).find((each) => each.id === id);
  if (found === undefined) throw new PortalError('notFound', { facts: { id } });
  return found;
}

export type StoredRole = Readonly<
  Pick<typeof role.$inferSelect, 'id' | 'name' | 'permissions' | 'scope'>
>;

/** All roles, sorted by name. */
export async function findRoles(on: Executor): Promise<readonly StoredRole[]> {
  return on
    .select({ id: role.id, name: role.name, permissions: role.permissions, scope: role.scope })
    .from(role)
    .orderBy(asc(role.name));
}

/** Names of the roles with a permission, to show whom to ask. */
export async function findRoleNamesHolding(
  on: Executor,
  permission: Permission,
): Promise<readonly string[]> {
  const rows = await on
    .select({ name: role.name })
    .from(role)
    .where(contains(role.permissions, permission))
    .orderBy(asc(role.name));
  return rows.map(({ name }) => name);
}

export async function findRoleGrant(on: Executor, name: string): Promise<Grant | undefined> {
  const [found] = await on
    .select({ permissions: role.permissions, scope: role.scope })
    .from(role)
    .where(isNamed(name));
  return found;
}

/** All roles, for the limit of roles. */
export const allRoles = (on: Executor) => on.select({ id: role.id }).from(role).getSQL();

/** @throws PortalError 7000 with the ID of the role that has the name */
export async function requireFreeName(
  tx: Transaction,
  { name, id }: { readonly name: string; readonly id: string },
): Promise<void> {
  const [taken] = await tx
    .select({ id: role.id, name: role.name })
    .from(role)
    .where(and(isNamed(name), ne(role.id, id)));
  if (taken !== undefined) {
    throw new PortalError('roleAlreadyExists', { facts: { roleId: taken.id, name: taken.name } });
  }
}

export async function insertRole(tx: Transaction, id: string, added: NewRole): Promise<void> {
  const { name, description, permissions, scope } = added;
  await tx.insert(role).values({ id, name, description, permissions, scope });
}

export async function replaceRole(tx: Transaction, id: string, changed: NewRole): Promise<void> {
  const { name, description, permissions, scope } = changed;
  await tx
    .update(role)
    .set({ name, description, permissions, scope, updatedAt: portalClock })
    .where(eq(role.id, id));
}

/** Also removes the role from its users. */
export async function deleteRoleRow(tx: Transaction, id: string): Promise<void> {
  await tx.delete(userRole).where(eq(userRole.roleId, id));
  await tx.delete(role).where(eq(role.id, id));
}
