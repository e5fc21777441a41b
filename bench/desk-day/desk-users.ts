import { builtinRoles, everywhere, type Scope } from '@deviceportal/contract/permissions';
import type { PortalClient } from '../support/portal-client.ts';

export const deskRoles = ['viewer', 'support', 'operator', 'administrator', 'auditor'] as const;
export type DeskRole = (typeof deskRoles)[number];

/** A user at work, with the devices that they can see. */
export interface DeskUser {
  readonly identifier: string;
  readonly role: DeskRole;
  readonly scope: Scope;
}

const scopes: readonly Scope[] = [
  ...['PL', 'DE', 'FR', 'CN', 'US', 'BR', 'JP', 'IN'].map((country) => within(country, 'prod')),
  ...['PL', 'CN'].map((country) => within(country, 'test')),
];
const unscoped = { support: 25, operator: 12, administrator: 5, auditor: 8 } as const;

function within(country: string, env: string): Scope {
  return { ...everywhere, countries: [country], labels: { env } };
}

/** Ten viewers with one country and one label each, and fifty other users. */
export const deskUsers: readonly DeskUser[] = [
  ...scopes.map((scope, index) => userOf('viewer', index, scope)),
  ...(Object.keys(unscoped) as (keyof typeof unscoped)[]).flatMap((role) =>
    Array.from({ length: unscoped[role] }, (_, index) => userOf(role, index, everywhere)),
  ),
];

function userOf(role: DeskRole, index: number, scope: Scope): DeskUser {
  return { identifier: `desk-${role}-${index + 1}@deviceportal.local`, role, scope };
}

/** Creates the roles of the viewers, and invites everyone. */
export async function inviteDeskUsers(admin: PortalClient): Promise<void> {
  const known = (await admin.query('access.roles.list')) as readonly { id: string; name: string }[];
  const roleIds = new Map(known.map(({ id, name }) => [name.toLowerCase(), id]));
  const { permissions = [] } = builtinRoles.find(({ name }) => name === 'Viewer') ?? {};
  for (const { identifier, role, scope } of deskUsers) {
    let roleId = roleIds.get(role);
    if (role === 'viewer') {
      const name = `Viewer ${scope.countries.join()} ${scope.labels['env'] ?? ''}`;
      const created = await admin.mutate('access.roles.create', { name, permissions, scope });
      roleId = (created as { readonly id: string }).id;
    }
    await admin.mutate('access.users.invite', { identifier, roleIds: [roleId] });
  }
}
