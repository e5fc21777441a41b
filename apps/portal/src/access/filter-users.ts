import type { UserRow } from '@deviceportal/contract/access';
import type { FilterQuery, FilterQueryToken } from '../shell/filter-codec.ts';

/** Users that match; words that name no property are looked for in names and addresses. */
export function filterUsers(users: readonly UserRow[], query: FilterQuery): UserRow[] {
  if (query.tokens.length === 0) return [...users];
  const matches = (user: UserRow) => (token: FilterQueryToken) => matchesToken(user, token);
  return users.filter((user) =>
    query.operation === 'and'
      ? query.tokens.every(matches(user))
      : query.tokens.some(matches(user)),
  );
}

function matchesToken(user: UserRow, { key, operator, values }: FilterQueryToken): boolean {
  const found = values.some((value) => hasValue(user, key, value));
  return operator.startsWith('!') ? !found : found;
}

function hasValue(user: UserRow, key: string | undefined, value: string): boolean {
  if (key === 'status') return user.status === value;
  if (key === 'role') return user.roles.includes(value);
  if (key === 'group') return user.groups.includes(value);
  const wanted = value.toLowerCase();
  return [user.username, user.name, user.email, user.phone].some(
    (text) => text?.toLowerCase().includes(wanted) ?? false,
  );
}

export type UserSort = 'username' | 'lastSignIn';

/** Never signed in counts as longest ago. */
export function sortUsers(
  users: readonly UserRow[],
  sort: UserSort,
  descending: boolean,
): UserRow[] {
  const compare = (one: UserRow, other: UserRow): number =>
    sort === 'username'
      ? one.username.localeCompare(other.username)
      : (one.lastSignInAt ?? '').localeCompare(other.lastSignInAt ?? '');
  return users.toSorted((one, other) => (descending ? -compare(one, other) : compare(one, other)));
}
