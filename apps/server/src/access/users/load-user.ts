import type { Grant } from '@deviceportal/contract/permissions';
import type { Database } from '../../platform/database/database.ts';
import { findRoleGrant } from '../data/role-queries.ts';
import { findUserBySubject, type StoredUser } from '../data/user-queries.ts';

export type { StoredUser } from '../data/user-queries.ts';

interface LoadUserDependencies {
  readonly database: Pick<Database, 'orm'>;
}

/** The user behind the user pool's `sub`, with roles and grants; undefined where the portal never saw them. */
export function loadUser(
  { database }: LoadUserDependencies,
  subject: string,
): Promise<StoredUser | undefined> {
  return findUserBySubject(database.orm, subject);
}

/** What a role grants; undefined where there is no such role. */
export function loadRoleGrant(
  { database }: LoadUserDependencies,
  role: string,
): Promise<Grant | undefined> {
  return findRoleGrant(database.orm, role);
}
