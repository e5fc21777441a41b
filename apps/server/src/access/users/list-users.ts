import { z } from 'zod';
import type { ListUsers, UserPage, UserRow } from '@deviceportal/contract/access';
import { PortalError } from '@deviceportal/contract/errors';
import { holds } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import { maskEmail, maskName, maskPhone } from '../../people/mask-person.ts';
import { decodeCursor, encodeCursor } from '../../platform/keyset-cursor.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { AccessDeps } from '../access-deps.ts';
import {
  countUsers,
  selectUser,
  selectUsers,
  type StoredUserRow,
  type UserQuery,
} from '../data/user-list-queries.ts';

type Deps = Pick<AccessDeps, 'database' | 'directory'>;

export async function listUsers(
  { database, directory }: Deps,
  viewer: Viewer,
  { filter, sort, descending, pageSize, cursor }: ListUsers,
): Promise<UserPage> {
  // Masked names could be guessed letter by letter by searching.
  if (filter.text !== '' && !holds(viewer.grants, 'people:read')) {
    return { rows: [], nextCursor: null, count: 0 };
  }
  const groups = await directory.groupsBySubject();
  const { group } = filter;
  const members =
    group === null
      ? null
      : [...groups].flatMap(([subject, of]) => (of.includes(group) ? [subject] : []));
  const after = readCursor(cursor, sort);
  const query = { filter, members, sort, descending, after, limit: pageSize + 1 };
  const [found, count] = await Promise.all([
    selectUsers(database.orm, query),
    countUsers(database.orm, query),
  ]);
  const rows = found.slice(0, pageSize);
  const complete = await completeUsers(
    { directory },
    rows.map(({ user }) => user),
    groups,
  );
  const last = found.length > pageSize ? rows.at(-1) : undefined;
  return {
    rows: complete.map((user) => maskFor(viewer, user)),
    nextCursor: last === undefined ? null : encodeCursor([last.sortKey, last.user.id]),
    count,
  };
}

/** @throws PortalError 2003 */
export async function getUser(
  { database, directory }: Deps,
  viewer: Viewer,
  id: string,
): Promise<UserRow> {
  const found = await selectUser(database.orm, id);
  if (found === undefined) throw new PortalError('notFound', { facts: { id } });
  const [user] = await completeUsers({ directory }, [found], await directory.groupsBySubject());
  if (user === undefined) throw new PortalError('notFound', { facts: { id } });
  return maskFor(viewer, user);
}

function readCursor(cursor: string | null, sort: ListUsers['sort']): UserQuery['after'] {
  if (cursor === null) return null;
  const [key = '', id] = decodeCursor(cursor, 2);
  const isKey = sort === 'username' || key === '-infinity' || !Number.isNaN(Date.parse(key));
  const parsed = z.uuid().safeParse(id);
  if (isKey && parsed.success) return { key, id: parsed.data };
  throw refuse('cursor-invalid', { field: 'cursor' });
}

/** Adds group memberships and locks from the user pool. */
async function completeUsers(
  { directory }: Pick<Deps, 'directory'>,
  users: readonly StoredUserRow[],
  groups: ReadonlyMap<string, readonly string[]>,
): Promise<UserRow[]> {
  const locks = await directory.administration?.findLocks(users.map(({ subject }) => subject));
  return users.map(({ subject, ...user }) => {
    const lock = locks?.get(subject);
    return {
      ...user,
      groups: groups.get(subject) ?? [],
      lock: lock === undefined ? null : { wrong: lock.wrong, since: lock.lockedAt.toISOString() },
    };
  });
}

/** Masks users other than the viewer without `people:read`. */
function maskFor(viewer: Viewer, user: UserRow): UserRow {
  if (user.id === viewer.userId || holds(viewer.grants, 'people:read')) return user;
  return {
    ...user,
    username: maskName(user.username),
    name: maskName(user.name),
    email: maskEmail(user.email),
    phone: maskPhone(user.phone),
    note: '',
  };
}
