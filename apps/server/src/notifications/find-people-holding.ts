import { sql } from 'drizzle-orm';
import type { Permission, Scope } from '@deviceportal/contract/permissions';
import type { Executor } from '../platform/database/database.ts';

export interface Holder {
  readonly userId: string;
  readonly scopes: readonly Scope[];
}

/** Everybody who holds a permission by a role that they were given, and where. */
export async function findPeopleHolding(on: Executor, permission: Permission): Promise<Holder[]> {
  const { rows } = await on.execute(sql`
    select u.id as "userId", jsonb_agg(r.scope) as scopes
    from portal_user u
    join user_role h on h.user_id = u.id
    join role r on r.id = h.role_id
    where u.status = 'Activated' and r.permissions ? ${permission}::text
    group by u.id`);
  return rows as unknown as Holder[];
}
