import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import type { Grant } from '@deviceportal/contract/permissions';
import type { Database } from '../platform/database/database.ts';
import type { TemporaryGrant } from '../platform/viewer.ts';
import { loadRoleGrant, loadUser, type StoredUser } from './users/load-user.ts';

interface LoadGrantsDependencies {
  readonly database: Pick<Database, 'orm'>;
}

interface OwnRoles {
  readonly roles: readonly string[];
  readonly grants: readonly Grant[];
}

/** Grants of a viewer. */
export interface HeldRoles extends OwnRoles {
  readonly lasting: readonly Grant[];
  readonly temporary: readonly TemporaryGrant[];
}

const ADMINISTRATOR = 'Administrator';

/** Current grants of a user: assigned roles, the administrator role for members of its group, and temporary access. */
export async function loadGrants(
  dependencies: LoadGrantsDependencies,
  user: Pick<StoredUser, 'roles' | 'grants' | 'temporary'>,
  groups: readonly string[],
): Promise<HeldRoles> {
  const held = await loadOwnGrants(dependencies, user, groups);
  const temporaryRoles = user.temporary
    .map(({ name }) => name)
    .filter((name) => !held.roles.includes(name));
  return {
    roles: [...held.roles, ...new Set(temporaryRoles)],
    grants: [
      ...held.grants,
      ...user.temporary.map(({ permissions, scope }) => ({ permissions, scope })),
    ],
    lasting: held.grants,
    temporary: user.temporary,
  };
}

async function loadOwnGrants(
  dependencies: LoadGrantsDependencies,
  { roles, grants }: Pick<StoredUser, 'roles' | 'grants'>,
  groups: readonly string[],
): Promise<OwnRoles> {
  if (!groups.includes(ADMIN_GROUP) || roles.includes(ADMINISTRATOR)) return { roles, grants };
  const grant = await loadRoleGrant(dependencies, ADMINISTRATOR);
  return { roles: [ADMINISTRATOR, ...roles], grants: grant ? [grant, ...grants] : grants };
}

/** Names of the permissions that a user has now, in any scope; empty for users who are not admitted. */
export async function loadPermissions(
  dependencies: LoadGrantsDependencies,
  person: { readonly sub: string; readonly groups: readonly string[] },
): Promise<readonly string[]> {
  const user = await loadUser(dependencies, person.sub);
  if (user?.status !== 'Activated') return [];
  const { grants } = await loadGrants(dependencies, user, person.groups);
  return [...new Set(grants.flatMap(({ permissions }) => permissions))];
}
