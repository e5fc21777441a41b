import { and, asc, eq, sql, type SQL } from 'drizzle-orm';
import { PortalError } from '@deviceportal/contract/errors';
import { portalClock } from '../../../platform/columns.ts';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { portalUser, role, userRole } from '../access-tables.ts';
import { scimGroup } from '../scim-tables.ts';

/** A role as a directory sees it. */
export interface DirectoryGroup {
  readonly id: string;
  readonly name: string;
  readonly externalId: string | null;
  readonly createdAt: Date;
  readonly changedAt: Date;
}

export interface DirectoryGroupFilter {
  readonly id?: string;
  readonly displayName?: string;
  readonly externalId?: string;
}

const conditionOf = ({ id, displayName, externalId }: DirectoryGroupFilter): SQL | undefined =>
  and(
    id === undefined ? undefined : sql`${role.id}::text = lower(${id})`,
    displayName === undefined ? undefined : sql`lower(${role.name}) = lower(${displayName})`,
    externalId === undefined ? undefined : eq(scimGroup.externalId, externalId),
  );

/** Roles by name; there are at most a few hundred. */
export async function listDirectoryGroups(
  on: Executor,
  filter: DirectoryGroupFilter,
): Promise<DirectoryGroup[]> {
  return on
    .select({
      id: role.id,
      name: role.name,
      externalId: scimGroup.externalId,
      createdAt: role.createdAt,
      changedAt: sql<Date>`greatest(${role.updatedAt}, ${scimGroup.changedAt})`.mapWith(
        role.updatedAt,
      ),
    })
    .from(role)
    .leftJoin(scimGroup, eq(scimGroup.roleId, role.id))
    .where(conditionOf(filter))
    .orderBy(asc(role.name));
}

/** @throws PortalError 2003 */
export async function requireDirectoryGroup(on: Executor, id: string): Promise<DirectoryGroup> {
  const [found] = await listDirectoryGroups(on, { id });
  if (found === undefined) throw new PortalError('notFound', { facts: { id } });
  return found;
}

/** Members of roles by role, sorted by username. */
export async function listMembers(
  on: Executor,
  roleIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly id: string; readonly name: string }[]>> {
  const rows = await on
    .select({ roleId: userRole.roleId, id: portalUser.id, name: portalUser.username })
    .from(userRole)
    .innerJoin(portalUser, eq(portalUser.id, userRole.userId))
    .where(isAnyOf(userRole.roleId, roleIds))
    .orderBy(asc(portalUser.username), asc(portalUser.id));
  return Map.groupBy(rows, ({ roleId }) => roleId);
}

export async function storeGroupExternalId(
  tx: Transaction,
  roleId: string,
  externalId: string | null,
): Promise<void> {
  const values = { externalId, changedAt: portalClock };
  await tx
    .insert(scimGroup)
    .values({ roleId, ...values })
    .onConflictDoUpdate({ target: scimGroup.roleId, set: values });
}
