import { and, eq, ne } from 'drizzle-orm';
import type { Grant } from '@deviceportal/contract/permissions';
import type { Executor } from '../../platform/database/database.ts';
import { portalUser, role } from './access-tables.ts';
import { holdsPermanently } from './current-grants.ts';
import { givenGrants } from './user-roles.ts';

/** Permanent grants of all active users with a role, except one user. */
export async function findGrantsOfOthers(
  on: Executor,
  userId: string,
): Promise<{ readonly userId: string; readonly subject: string; readonly grants: Grant[] }[]> {
  return on
    .select({ userId: portalUser.id, subject: portalUser.subject, grants: givenGrants })
    .from(portalUser)
    .innerJoin(role, holdsPermanently)
    .where(and(eq(portalUser.status, 'Activated'), ne(portalUser.id, userId)))
    .groupBy(portalUser.id);
}
