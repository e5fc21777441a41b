import { inTransaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import type { AccessDeps } from '../access-deps.ts';
import { loadGranter, requireCanRemove, requireOtherUser } from '../roles/granter.ts';
import { requireAdministration } from './user-sessions.ts';
import { requireUser } from '../data/user-role-queries.ts';

/**
 * Unlocks an account that was locked after too many wrong codes. The user pool records it. Users cannot unlock their
 * own account, because a session does not prove ownership of the account.
 * @throws PortalError 2003; 1000 for the caller themselves, or for a user with more permissions; 2004 if users are
 * managed elsewhere
 */
export async function unlockUser(
  { database, directory }: Pick<AccessDeps, 'database' | 'directory'>,
  caller: Caller,
  id: string,
): Promise<void> {
  const pool = requireAdministration(directory);
  await inTransaction(database, async (tx) => {
    const granter = await loadGranter(tx, directory, caller);
    requireOtherUser(granter, id);
    const user = await requireUser(tx, id);
    for (const role of user.roles) requireCanRemove(granter, role);
    await pool.unlock(user.subject, caller);
  });
}
