import { asc, eq, isNotNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { jsonArray, jsonObject } from '../../platform/database/json-rows.ts';
import { role, userRole } from './access-tables.ts';

/** Names of a user's assigned roles, sorted. */
export const roleNamesOf = (userId: SQLWrapper): SQL<string[]> =>
  sql<string[]>`array(${new QueryBuilder()
    .select({ name: role.name })
    .from(userRole)
    .innerJoin(role, eq(role.id, userRole.roleId))
    .where(eq(userRole.userId, userId))
    .orderBy(asc(role.name))})`;

/** In a `left join`: only roles that exist. */
const given = { orderBy: role.name, filter: isNotNull(role.id) };

export const givenRoleNames = jsonArray(role.name, given);

/** Permissions and scopes of the roles of a group. */
export const givenGrants = jsonArray(
  jsonObject({ permissions: role.permissions, scope: role.scope }),
  { filter: isNotNull(role.id) },
);

/** Roles of a group with their permissions. */
export const givenRoles = jsonArray(
  jsonObject({
    id: role.id,
    name: role.name,
    permissions: role.permissions,
    scope: role.scope,
  }),
  given,
);
