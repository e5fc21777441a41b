import { and, eq, exists, ne, or } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { portalUser, userRole } from './access-tables.ts';

/** Whether there are users besides one, and whether any of them has a role. */
export async function findOtherUsers(
  on: Executor,
  userId: string,
): Promise<{ readonly exist: boolean; readonly haveRoles: boolean }> {
  const others = ne(portalUser.id, userId);
  const roles = on.select({ id: userRole.roleId }).from(userRole);
  const hasRole = exists(roles.where(eq(userRole.userId, portalUser.id)));
  const [any, withRole] = await Promise.all([
    on.select({ id: portalUser.id }).from(portalUser).where(others).limit(1),
    on
      .select({ id: portalUser.id })
      .from(portalUser)
      .where(and(others, or(portalUser.inAdminGroup, hasRole)))
      .limit(1),
  ]);
  return { exist: any.length > 0, haveRoles: withRole.length > 0 };
}
