import { and, eq, exists, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { ADMINISTRATOR, type Permission } from '@deviceportal/contract/permissions';
import { heldGrant, portalUser, role, userRole } from './access-tables.ts';

const build = new QueryBuilder();

export const isAdministratorRole = and(eq(role.builtin, true), eq(role.name, ADMINISTRATOR)) as SQL;

/** Whether a user holds a role for good: it was given to them, or the user pool counts them among its administrators. */
export const holdsForGood = or(
  exists(
    build
      .select({ roleId: userRole.roleId })
      .from(userRole)
      .where(and(eq(userRole.userId, portalUser.id), eq(userRole.roleId, role.id))),
  ),
  and(portalUser.inAdminGroup, isAdministratorRole),
) as SQL;

const heldRoles = () =>
  build
    .select({
      userId: heldGrant.userId,
      roleId: heldGrant.roleId,
      name: heldGrant.name,
      permissions: heldGrant.permissions,
      scope: heldGrant.scope,
    })
    .from(heldGrant);

const ofAdministrators = () =>
  build
    .select({
      userId: portalUser.id,
      roleId: role.id,
      name: role.name,
      permissions: role.permissions,
      scope: role.scope,
    })
    .from(portalUser)
    .innerJoin(role, and(portalUser.inAdminGroup, isAdministratorRole));

/**
 * What each user holds at this moment: their roles, those for a time, and the administrator's for its group. To be
 * joined by `userId`.
 *
 * @param alias its name in the statement
 */
export const heldRightsAs = <Alias extends string>(alias: Alias) =>
  heldRoles().unionAll(ofAdministrators()).as(alias);

/** The same, each role once. */
export const distinctRightsAs = <Alias extends string>(alias: Alias) =>
  heldRoles().union(ofAdministrators()).as(alias);

/** Whether permissions in jsonb contain one. */
export const contains = (permissions: SQLWrapper, permission: SQLWrapper | Permission): SQL =>
  sql`${permissions} ? ${permission}::text`;

/** Whether permissions in jsonb contain one of several. */
export const containsAny = (permissions: SQLWrapper, some: readonly Permission[]): SQL =>
  sql`${permissions} ?| ${sql.param([...some])}::text[]`;
