import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import type { Database } from '../../platform/database/database.ts';
import { setInAdminGroup, type StoredUser } from '../data/user-queries.ts';

/**
 * Stores whether a user is a member of the administrator group of the user pool, so that administrators can be found
 * outside a call of theirs. Written only on change.
 */
export async function storeAdminGroupMembership(
  { database }: { readonly database: Pick<Database, 'orm'> },
  user: Pick<StoredUser, 'id' | 'inAdminGroup'>,
  groups: readonly string[],
): Promise<void> {
  const isIn = groups.includes(ADMIN_GROUP);
  if (isIn !== user.inAdminGroup) await setInAdminGroup(database.orm, user.id, isIn);
}
