import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import type { Grant } from '@deviceportal/contract/permissions';
import type { Database } from '../platform/database/database.ts';
import { findGrantsOfSubjects } from './data/user-queries.ts';
import { findRoleGrant } from './data/role-queries.ts';

interface Person {
  /** The user pool's `sub`. */
  readonly subject: string;
  /** Groups of the user pool. Members of the administrator group have its role without an assignment. */
  readonly groups: readonly string[];
}

/** Current grants of many users; users who cannot use the portal are absent. */
export async function loadGrantsOfPeople(
  { database }: { readonly database: Pick<Database, 'orm'> },
  people: readonly Person[],
): Promise<Map<string, readonly Grant[]>> {
  const subjects = [...new Set(people.map(({ subject }) => subject))];
  const found = await findGrantsOfSubjects(database.orm, subjects);
  const administrators = people.filter(({ groups }) => groups.includes(ADMIN_GROUP));
  const grant =
    administrators.length > 0 ? await findRoleGrant(database.orm, 'Administrator') : undefined;
  if (grant === undefined) return found;
  for (const { subject } of administrators) {
    const grants = found.get(subject);
    if (grants) found.set(subject, [grant, ...grants]);
  }
  return found;
}
