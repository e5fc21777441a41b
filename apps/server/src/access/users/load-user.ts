import type { Grant } from '@deviceportal/contract/permissions';
import type { Database } from '../../platform/database/database.ts';
import { findRoleGrant } from '../data/role-queries.ts';
import { findUserBySubject, type StoredUser } from '../data/user-queries.ts';

export type { StoredUser } from '../data/user-queries.ts';

interface LoadUserDependencies {
  readonly database: Pick<Database, 'orm'>;
}

/** The user with the `sub` of the user pool, with roles and grants; undefined if unknown. */
export function loadUser(
  { database }: LoadUserDependencies,
  subject: string,
): Promise<StoredUser | undefined> {
  return findUserBySubject(database.orm, subject);
}

/** The grant of a role; undefined if the role does not exist. */
export function loadRoleGrant(
  { database }: LoadUserDependencies,
  role: string,
): Promise<Grant | undefined> {
  return findRoleGrant(database.orm, role);
}
