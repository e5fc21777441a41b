import { sql, type SQL } from 'drizzle-orm';
import type { Permission, Scope } from '@deviceportal/contract/permissions';
import { scopeReaches } from '../devices/scope-reaches.ts';
import type { Executor } from '../platform/database/database.ts';

export interface Holder {
  readonly userId: string;
  readonly scopes: readonly Scope[];
}

/** Everybody who holds a permission, and where: by a role they were given, or as the user pool's administrators. */
export async function findPeopleHolding(
  on: Executor,
  permission: Permission,
  among?: readonly string[],
): Promise<Holder[]> {
  const { rows } = await on.execute(sql`
    select u.id as "userId", jsonb_agg(r.scope) as scopes
    from portal_user u join ${held} r on r.user_id = u.id and r.permissions ? ${permission}::text
    where u.status = 'Activated' and ${oneOf(among)}
    group by u.id`);
  return rows as unknown as Holder[];
}

/**
 * Everybody who holds each of the permissions on every one of the devices: in one statement, which looks at each kind of
 * device once.
 *
 * @param devices a query of the rows of `device`
 */
export async function findPeopleReaching(
  on: Executor,
  permissions: readonly Permission[],
  devices: SQL,
  among?: readonly string[],
): Promise<string[]> {
  const { rows } = await on.execute<{ userId: string }>(sql`
    with kind as materialized (select distinct country, model, labels from (${devices}) device),
    holding as materialized (
      select distinct wanted.permission, r.user_id, r.scope
      from ${held} r join unnest(${sql.param([...permissions])}::text[]) as wanted(permission)
        on r.permissions ? wanted.permission)
    select u.id as "userId" from portal_user u
    where u.status = 'Activated' and ${oneOf(among)}
      and not exists (
        select from unnest(${sql.param([...permissions])}::text[]) as wanted(permission)
        where not exists (select from holding h where h.user_id = u.id and h.permission = wanted.permission)
          or exists (
            select from kind where not exists (
              select from holding h where h.user_id = u.id and h.permission = wanted.permission
                and ${scopeReaches(sql`h.scope`, sql`kind`)})))`);
  return rows.map(({ userId }) => userId);
}

/** Whether the user `u` holds a permission in whatever scope. */
export const personHolds = (permission: Permission): SQL =>
  sql`exists (select from ${held} r where r.user_id = u.id and r.permissions ? ${permission}::text)`;

/**
 * Whether a user holds a permission on a device.
 * @param device alias of a row with country, model and labels
 */
export const holdsOnDevice = (userId: SQL, permission: Permission, device = sql`d`): SQL =>
  sql`exists (select from ${held} own where own.user_id = ${userId} and own.permissions ? ${permission}::text
    and ${scopeReaches(sql`own.scope`, device)})`;

const oneOf = (among: readonly string[] | undefined): SQL =>
  among === undefined ? sql`true` : sql`u.id = any(${sql.param([...among])}::uuid[])`;

/** What each user holds at this moment: their roles, those for a time, and the administrator's for its group. */
const held = sql`(
  select user_id, permissions, scope from held_grant
  union all
  select a.id, r.permissions, r.scope from portal_user a, role r
  where a.in_admin_group and lower(r.name) = 'administrator')`;
