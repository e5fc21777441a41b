import type { WhoCan, WhoCanAnswer } from '@deviceportal/contract/access';
import { reaches } from '@deviceportal/contract/permissions';
import { findPermittedUsers } from './data/permitted-user-queries.ts';
import { permissionsForCommand } from '../commands/catalog/permissions-for-command.ts';
import { getDevice } from '../devices/get-device.ts';
import { maskName, maskUser } from '../people/mask-person.ts';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';

/**
 * Users who have a permission, anywhere or on one device, and the roles that grant it.
 * @throws PortalError 4002 for an unknown command, 6000 for a device that the viewer cannot see
 */
export async function whoCan(
  deps: { readonly database: Database; readonly clock: () => Date },
  viewer: Viewer,
  { permission, command, device }: WhoCan,
): Promise<WhoCanAnswer> {
  const { orm } = deps.database;
  const permissions =
    command === null
      ? [permission].filter((each) => each !== null)
      : await permissionsForCommand(orm, command);
  const target = device === null ? null : await getDevice(deps, viewer, device);
  const users = await findPermittedUsers(orm, permissions);
  return {
    permissions,
    users: users
      .map((user) => ({
        ...user,
        username: maskUser(user.username, viewer),
        name: maskUser(user.username, viewer) === user.username ? user.name : maskName(user.name),
        roles: user.roles.filter(({ scope }) => target === null || reaches([scope], target)),
      }))
      .filter(({ roles }) => roles.length > 0),
  };
}
