import { and, eq, exists, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Permission, Scope } from '@deviceportal/contract/permissions';
import type { ScopedColumns } from '../../devices/data/device-scope-condition.ts';
import { scopeReaches } from '../../devices/data/scope-reaches.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { jsonArray } from '../../platform/database/json-rows.ts';
import { portalUser } from './access-tables.ts';
import { contains, currentGrantsAs } from './current-grants.ts';

export interface Holder {
  readonly userId: string;
  readonly scopes: readonly Scope[];
}

const build = new QueryBuilder();
const held = currentGrantsAs('held');

const isActivated = (among: readonly string[] | undefined): SQL | undefined =>
  and(
    eq(portalUser.status, 'Activated'),
    among === undefined ? undefined : isAnyOf(portalUser.id, among),
  );

/** Users with a permission and its scopes, by assigned roles or by the administrator group of the user pool. */
export async function findUsersWithPermission(
  on: Executor,
  permission: Permission,
  among?: readonly string[],
): Promise<Holder[]> {
  return on
    .select({ userId: portalUser.id, scopes: jsonArray(held.scope) })
    .from(portalUser)
    .innerJoin(held, and(eq(held.userId, portalUser.id), contains(held.permissions, permission)))
    .where(isActivated(among))
    .groupBy(portalUser.id);
}

/**
 * Users who have each of the permissions on all of the devices. One statement, which checks each combination of
 * country, model, and labels once.
 *
 * @param devices a query of rows of `device`
 */
export async function findUsersWithPermissionsOn(
  on: Executor,
  permissions: readonly Permission[],
  devices: SQL,
  among?: readonly string[],
): Promise<string[]> {
  const wanted = sql`unnest(${sql.param([...permissions])}::text[]) as wanted(permission)`;
  const kind = { country: sql`kind.country`, model: sql`kind.model`, labels: sql`kind.labels` };
  const holding = sql`select from holding h where h.user_id = ${portalUser.id} and h.permission = wanted.permission`;
  const { rows } = await on.execute<{ userId: (typeof portalUser.$inferSelect)['id'] }>(sql`
    with kind as materialized (select distinct country, model, labels from (${devices}) device),
    holding as materialized (
      select distinct wanted.permission, ${held.userId}, ${held.scope}
      from ${held} join ${wanted} on ${contains(held.permissions, sql`wanted.permission`)})
    select ${portalUser.id} as "userId" from ${portalUser}
    where ${isActivated(among)}
      and not exists (
        select from ${wanted}
        where not exists (${holding})
          or exists (
            select from kind where not exists (${holding} and ${scopeReaches(sql`h.scope`, kind)})))`);
  return rows.map(({ userId }) => userId);
}

/** Whether a user has a permission in any scope. */
export const userHasPermission = (userId: SQLWrapper, permission: Permission): SQL =>
  exists(
    build
      .select({ userId: held.userId })
      .from(held)
      .where(and(eq(held.userId, userId), contains(held.permissions, permission))),
  );

/** Whether a user has a permission on a device, given a row with country, model, and labels. */
export const hasPermissionOnDevice = (
  userId: SQLWrapper,
  permission: Permission,
  device: ScopedColumns,
): SQL =>
  exists(
    build
      .select({ userId: held.userId })
      .from(held)
      .where(
        and(
          eq(held.userId, userId),
          contains(held.permissions, permission),
          scopeReaches(held.scope, device),
        ),
      ),
  );

/**
 * Whether a user can use the portal and fulfills a condition. Actors without a user row, such as the system, always do.
 */
export const isActiveUserWhere = (
  userId: SQLWrapper,
  condition: (userId: SQLWrapper) => SQL,
): SQL =>
  sql`not ${exists(
    build
      .select({ id: portalUser.id })
      .from(portalUser)
      .where(
        and(
          eq(portalUser.id, userId),
          sql`not ${and(eq(portalUser.status, 'Activated'), condition(portalUser.id))}`,
        ),
      ),
  )}`;
