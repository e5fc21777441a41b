import { asc, eq, isNotNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { jsonArray, jsonObject } from '../../platform/database/json-rows.ts';
import { role, userRole } from './access-tables.ts';

/** The names of the roles that a user was given, in their order. */
export const roleNamesOf = (userId: SQLWrapper): SQL<string[]> =>
  sql<string[]>`array(${new QueryBuilder()
    .select({ name: role.name })
    .from(userRole)
    .innerJoin(role, eq(role.id, userRole.roleId))
    .where(eq(userRole.userId, userId))
    .orderBy(asc(role.name))})`;

/** Of a `left join`: the roles that exist. */
const given = { orderBy: role.name, filter: isNotNull(role.id) };

export const givenRoleNames = jsonArray(role.name, given);

/** What the roles of a group allow, and where. */
export const givenGrants = jsonArray(
  jsonObject({ permissions: role.permissions, scope: role.scope }),
  { filter: isNotNull(role.id) },
);

/** The roles of a group with what they allow. */
export const givenRoles = jsonArray(
  jsonObject({
    id: role.id,
    name: role.name,
    permissions: role.permissions,
    scope: role.scope,
  }),
  given,
);
