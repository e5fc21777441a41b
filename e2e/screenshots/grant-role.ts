import { everywhere, type Permission } from '@deviceportal/contract/permissions';
import type { PortalClient } from '../../bench/support/portal-client.ts';

/** Creates a role and gives it to a user. Administrators cannot grant permissions to themselves. */
export async function grantRole(
  admin: PortalClient,
  username: string,
  role: { readonly name: string; readonly permissions: readonly Permission[] },
): Promise<void> {
  const created = (await admin.mutate('access.roles.create', { ...role, scope: everywhere })) as {
    id: string;
  };
  const users = (await admin.query('access.users.list', {})) as {
    rows: { id: string; username: string }[];
  };
  const user = users.rows.find((each) => each.username === username);
  if (user === undefined) throw new Error(`no user ${username}`);
  await admin.mutate('access.users.changeRoles', { id: user.id, add: [created.id] });
}
