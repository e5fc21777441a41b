import { and, asc, count, desc, eq, inArray, isNull, or, sql, type SQL } from 'drizzle-orm';
import type { ListUsers, UserFilter, UserRow, UserSort } from '@deviceportal/contract/access';
import { portalNow } from '../../platform/columns.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { likeLiteral } from '../../platform/database/like-literal.ts';
import { isoOrNull } from '../../platform/moment-cursor.ts';
import { portalUser, role, userRole } from './access-tables.ts';
import { roleNamesOf } from './user-roles.ts';

export interface UserQuery extends Pick<ListUsers, 'sort' | 'descending'> {
  readonly filter: UserFilter;
  /** Subjects of the members of the filtered group; null if no group is filtered. */
  readonly members: readonly string[] | null;
  readonly after: { readonly key: string; readonly id: string } | null;
  readonly limit: number;
}

/** The stored part of a user row; groups and lock are in the user pool. */
export interface StoredUserRow extends Omit<UserRow, 'groups' | 'lock'> {
  readonly subject: string;
}

export interface KeyedUser {
  readonly user: StoredUserRow;
  readonly sortKey: string;
}

/** Users who never signed in sort as the earliest. */
const keys: Readonly<Record<UserSort, { readonly key: SQL; readonly type: SQL }>> = {
  username: { key: sql`lower(${portalUser.username})`, type: sql`text` },
  lastSignIn: {
    key: sql`coalesce(${portalUser.lastSignInAt}, '-infinity'::timestamptz)`,
    type: sql`timestamptz`,
  },
  created: { key: sql`${portalUser.createdAt}`, type: sql`timestamptz` },
};

/** Names and status of a user, with their roles. */
const columns = {
  id: portalUser.id,
  subject: portalUser.subject,
  username: portalUser.username,
  email: portalUser.email,
  phone: portalUser.phone,
  name: portalUser.name,
  status: portalUser.status,
  note: portalUser.note,
  lastSignInAt: portalUser.lastSignInAt,
  createdAt: portalUser.createdAt,
  roles: sql<string[]>`${roleNamesOf(portalUser.id)}`,
};

export async function selectUsers(on: Executor, query: UserQuery): Promise<KeyedUser[]> {
  const { sort, descending, after, limit } = query;
  const { key, type } = keys[sort];
  const direction = descending ? desc : asc;
  const beyond = descending ? sql`<` : sql`>`;
  const onwards =
    after === null
      ? undefined
      : sql`(${key}, ${portalUser.id}) ${beyond} (${after.key}::${type}, ${after.id}::uuid)`;
  const rows = await on
    .select({ ...columns, sortKey: sql<string>`(${key})::text` })
    .from(portalUser)
    .where(and(conditionOf(query), onwards))
    .orderBy(direction(key), direction(portalUser.id))
    .limit(limit);
  return rows.map(({ sortKey, ...user }) => ({ user: toRow(user), sortKey }));
}

export async function countUsers(
  on: Executor,
  query: Pick<UserQuery, 'filter' | 'members'>,
): Promise<number> {
  const [row] = await on.select({ users: count() }).from(portalUser).where(conditionOf(query));
  return row?.users ?? 0;
}

export async function selectUser(on: Executor, id: string): Promise<StoredUserRow | undefined> {
  const [user] = await on.select(columns).from(portalUser).where(eq(portalUser.id, id));
  return user && toRow(user);
}

const toRow = <Row extends { readonly lastSignInAt: Date | null; readonly createdAt: Date }>(
  row: Row,
) => ({
  ...row,
  lastSignInAt: isoOrNull(row.lastSignInAt),
  createdAt: row.createdAt.toISOString(),
});

function conditionOf({ filter, members }: Pick<UserQuery, 'filter' | 'members'>): SQL | undefined {
  const { text, statuses, roles, awayDays, neverSignedIn } = filter;
  return and(
    text === '' ? undefined : isCalled(text),
    statuses.length > 0 ? inArray(portalUser.status, [...statuses]) : undefined,
    roles.length > 0 ? holdsOneOf(roles) : undefined,
    awayDays === null
      ? undefined
      : or(
          isNull(portalUser.lastSignInAt),
          sql`${portalUser.lastSignInAt} < ${portalNow} - make_interval(days => ${awayDays})`,
        ),
    neverSignedIn ? isNull(portalUser.lastSignInAt) : undefined,
    members === null ? undefined : isAnyOf(portalUser.subject, members),
  );
}

function isCalled(text: string): SQL {
  const wanted = `%${likeLiteral(text.toLowerCase())}%`;
  return sql`(lower(${portalUser.username}) like ${wanted} or lower(${portalUser.name}) like ${wanted}
    or lower(${portalUser.email}) like ${wanted} or ${portalUser.phone} like ${wanted})`;
}

const holdsOneOf = (names: readonly string[]): SQL =>
  sql`exists (select from ${userRole} join ${role} on ${eq(role.id, userRole.roleId)}
    where ${eq(userRole.userId, portalUser.id)} and ${isAnyOf(role.name, names)})`;
