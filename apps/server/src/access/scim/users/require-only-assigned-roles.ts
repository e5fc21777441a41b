import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import type { Transaction } from '../../../platform/database/database.ts';
import { findUserBySubject } from '../../data/user-queries.ts';
import type { DirectoryUser } from '../../data/scim/scim-user-queries.ts';
import type { DirectoryAdministration } from '../../users/user-directory.ts';
import type { DirectoryCaller } from '../connection-caller.ts';
import { ScimError } from '../protocol/scim-error.ts';

/**
 * Sign-in codes are sent to the email address and phone number of a user. With the token of a connection, new ones must
 * not lead to roles that the connection does not assign.
 * @throws ScimError 403 for a user with another role, with temporary access, or in the administrator group
 */
export async function requireOnlyAssignedRoles(
  tx: Transaction,
  pool: Pick<DirectoryAdministration, 'groupsOf'>,
  { caller, user }: { readonly caller: DirectoryCaller; readonly user: DirectoryUser },
): Promise<void> {
  const assigned = user.roles.every(({ id }) => caller.connection.roleIds.includes(id));
  const temporary = (await findUserBySubject(tx, user.subject))?.temporary ?? [];
  const isMember = (await pool.groupsOf(user.subject)).includes(ADMIN_GROUP);
  if (assigned && temporary.length === 0 && !isMember) return;
  throw new ScimError(
    403,
    'This user has roles that the connection does not assign. Change the email address and phone number in the user pool.',
  );
}
