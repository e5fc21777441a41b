import { and, eq, sql } from 'drizzle-orm';
import type { AbleUser } from '@deviceportal/contract/access';
import type { Permission } from '@deviceportal/contract/permissions';
import type { Executor } from '../../platform/database/database.ts';
import { jsonArray, jsonObject } from '../../platform/database/json-rows.ts';
import { portalUser } from './access-tables.ts';
import { containsAny, distinctGrantsAs } from './current-grants.ts';

const MAX_USERS = 1_000;

/** Users who have one of the permissions, with the roles that grant it. */
export async function findPermittedUsers(
  on: Executor,
  permissions: readonly Permission[],
): Promise<AbleUser[]> {
  const held = distinctGrantsAs('held');
  const given = jsonObject({ id: held.roleId, name: held.name, scope: held.scope });
  return on
    .select({
      id: portalUser.id,
      username: portalUser.username,
      name: portalUser.name,
      roles: jsonArray(given, { orderBy: held.name }),
    })
    .from(portalUser)
    .innerJoin(held, eq(held.userId, portalUser.id))
    .where(and(eq(portalUser.status, 'Activated'), containsAny(held.permissions, permissions)))
    .groupBy(portalUser.id)
    .orderBy(sql`lower(${portalUser.username})`)
    .limit(MAX_USERS);
}
