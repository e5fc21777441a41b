import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import { ADMINISTRATOR } from '@deviceportal/contract/permissions';
import type { Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import type { UserDirectory } from './user-directory.ts';
import type { HeldRole, UserWithRoles } from '../data/user-role-queries.ts';
import { setInAdminGroup } from '../data/user-queries.ts';

/**
 * Keeps the administrator group equal to the holders of the administrator role: adds or removes the user in the group.
 * Other roles have no group.
 */
export async function updateAdminGroup(
  tx: Transaction,
  directory: UserDirectory,
  move: {
    readonly user: Pick<UserWithRoles, 'id' | 'subject'>;
    readonly roles: readonly HeldRole[];
    readonly isMember: boolean;
    readonly caller: Caller;
  },
): Promise<void> {
  const { user, roles, isMember, caller } = move;
  if (!roles.some(({ name }) => name === ADMINISTRATOR)) return;
  const { administration } = directory;
  await administration?.setMember(user.subject, { group: ADMIN_GROUP, isMember }, caller);
  await setInAdminGroup(tx, user.id, isMember);
}
