import { sql, type SQL } from 'drizzle-orm';
import type { Permission, Scope } from '@deviceportal/contract/permissions';
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
  const who = among === undefined ? sql`true` : sql`u.id = any(${sql.param([...among])}::uuid[])`;
  const { rows } = await on.execute(sql`
    select u.id as "userId", jsonb_agg(r.scope) as scopes
    from portal_user u join role r on ${holdsRole} and r.permissions ? ${permission}::text
    where u.status = 'Activated' and ${who}
    group by u.id`);
  return rows as unknown as Holder[];
}

/** Whether the user `u` holds a permission in whatever scope. */
export const personHolds = (permission: Permission): SQL =>
  sql`exists (select from role r where ${holdsRole} and r.permissions ? ${permission}::text)`;

/** Whether the role `r` is one of the user `u`. */
const holdsRole = sql`(
  exists (select from user_role h where h.user_id = u.id and h.role_id = r.id)
  or (u.in_admin_group and lower(r.name) = 'administrator'))`;
