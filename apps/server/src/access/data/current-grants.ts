import { and, eq, exists, isNull, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { ADMINISTRATOR, type Permission } from '@deviceportal/contract/permissions';
import { heldGrant, portalUser, role, userRole } from './access-tables.ts';

const build = new QueryBuilder();

export const isAdministratorRole = and(eq(role.builtin, true), eq(role.name, ADMINISTRATOR)) as SQL;

/** Whether a user has a role permanently: by assignment, or as a member of the administrator group in the user pool. */
export const holdsPermanently = or(
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
 * The current grants of each user: permanent and temporary roles, and the administrator role of group members. For
 * joins by `userId`.
 *
 * @param alias name of the subquery
 */
export const currentGrantsAs = <Alias extends string>(alias: Alias) =>
  heldRoles().unionAll(ofAdministrators()).as(alias);

/** Like `currentGrantsAs`, without temporary roles. */
export const permanentGrantsAs = <Alias extends string>(alias: Alias) =>
  heldRoles().where(isNull(heldGrant.accessGrantId)).unionAll(ofAdministrators()).as(alias);

/** Like `currentGrantsAs`, with each role once. */
export const distinctGrantsAs = <Alias extends string>(alias: Alias) =>
  heldRoles().union(ofAdministrators()).as(alias);

/** Whether a jsonb array of permissions contains one. */
export const contains = (permissions: SQLWrapper, permission: SQLWrapper | Permission): SQL =>
  sql`${permissions} ? ${permission}::text`;

/** Whether a jsonb array of permissions contains one of several. */
export const containsAny = (permissions: SQLWrapper, some: readonly Permission[]): SQL =>
  sql`${permissions} ?| ${sql.param([...some])}::text[]`;
