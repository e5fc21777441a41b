import { sql } from 'drizzle-orm';
import type { AbleUser, WhoCan, WhoCanAnswer } from '@deviceportal/contract/access';
import {
  ADMINISTRATOR,
  reaches,
  type Permission,
  type Scope,
} from '@deviceportal/contract/permissions';
import { permissionsForCommand } from '../commands/catalog/permissions-for-command.ts';
import { getDevice } from '../devices/get-device.ts';
import { maskName, maskUser } from '../people/mask-person.ts';
import type { Database, Executor } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';

/**
 * Who may do something, anywhere or on one device, and by which of their roles.
 * @throws PortalError 4002 for a command, 6000 for a device that the viewer does not see
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
  const users = await findHolders(orm, permissions);
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

async function findHolders(
  executor: Executor,
  permissions: readonly Permission[],
): Promise<readonly AbleUser[]> {
  const { rows } = await executor.execute(sql`
    select u.id, u.username, u.name,
           jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'scope', r.scope) order by r.name) as roles
    from portal_user u
    join (select user_id, role_id as id, name, permissions, scope from held_grant
          union select a.id, r.id, r.name, r.permissions, r.scope from portal_user a, role r
          where a.in_admin_group and r.builtin and r.name = ${ADMINISTRATOR}) r on r.user_id = u.id
    where u.status = 'Activated' and r.permissions ?| ${sql.param(permissions)}::text[]
    group by u.id order by lower(u.username) limit 1000`);
  return rows as unknown as (AbleUser & { roles: { scope: Scope }[] })[];
}
