import { asc, desc, eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { portalUser, role, userRole } from './access-tables.ts';

/** Users who can sign in, for joins by `userId`. */
export const activeUsers = new QueryBuilder()
  .select({
    userId: portalUser.id,
    subject: portalUser.subject,
    username: portalUser.username,
    email: portalUser.email,
    preferences: portalUser.preferences,
  })
  .from(portalUser)
  .where(eq(portalUser.status, 'Activated'))
  .as('active_user');

/** The role shown next to a user's name: built-in roles before custom ones. Null for a user without roles. */
export const mainRoleOf = (userId: SQLWrapper): SQL<string | null> =>
  sql<string | null>`(${new QueryBuilder()
    .select({ name: role.name })
    .from(userRole)
    .innerJoin(role, eq(role.id, userRole.roleId))
    .where(eq(userRole.userId, userId))
    .orderBy(desc(role.builtin), asc(role.name))
    .limit(1)})`;
