import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import type { Database } from '../../platform/database/database.ts';
import { setInAdminGroup, type StoredUser } from '../data/user-queries.ts';

/**
 * Remembers whether somebody is an administrator by their group of the user pool: what asks for administrators when
 * nobody calls finds them by it. Written only where it has changed.
 */
export async function keepAdminGroup(
  { database }: { readonly database: Pick<Database, 'orm'> },
  user: Pick<StoredUser, 'id' | 'inAdminGroup'>,
  groups: readonly string[],
): Promise<void> {
  const isIn = groups.includes(ADMIN_GROUP);
  if (isIn !== user.inAdminGroup) await setInAdminGroup(database.orm, user.id, isIn);
}
