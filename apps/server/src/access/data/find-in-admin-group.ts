import { eq } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { portalUser } from './access-tables.ts';

/** Whether a user was a member of the administrators' group at their last sign-in or synchronization. */
export async function findInAdminGroup(on: Executor, userId: string): Promise<boolean> {
  const [found] = await on
    .select({ inAdminGroup: portalUser.inAdminGroup })
    .from(portalUser)
    .where(eq(portalUser.id, userId));
  return found?.inAdminGroup === true;
}
