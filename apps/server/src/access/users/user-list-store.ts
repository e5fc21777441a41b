import { sql, type SQL } from 'drizzle-orm';
import type { ListUsers, UserFilter, UserRow, UserSort } from '@deviceportal/contract/access';
import type { Executor } from '../../platform/database/database.ts';

export interface UserQuery extends Pick<ListUsers, 'sort' | 'descending'> {
  readonly filter: UserFilter;
  /** Subjects of the group that is asked for; null asks for none. */
  readonly members: readonly string[] | null;
  readonly after: { readonly key: string; readonly id: string } | null;
  readonly limit: number;
}

/** What stands here of a user; groups and lock are the user pool's. */
export interface StoredUserRow extends Omit<UserRow, 'groups' | 'lock'> {
  readonly subject: string;
}

export interface KeyedUser {
  readonly user: StoredUserRow;
  readonly sortKey: string;
}

/** Never signed in counts as longest ago. */
const keys: Readonly<Record<UserSort, SQL>> = {
  username: sql`lower(u.username)`,
  lastSignIn: sql`coalesce(u.last_sign_in_at, '-infinity'::timestamptz)`,
  created: sql`u.created_at`,
};

const keyTypes: Readonly<Record<UserSort, SQL>> = {
  username: sql`text`,
  lastSignIn: sql`timestamptz`,
  created: sql`timestamptz`,
};

const TIME = sql.raw(`'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`);

/** What a user is called and where they stand, with their roles. */
const columns = sql`
  u.id, u.subject, u.username, u.email, u.phone, u.name, u.status, u.note,
  to_char(u.last_sign_in_at at time zone 'utc', ${TIME}) as "lastSignInAt",
  to_char(u.created_at at time zone 'utc', ${TIME}) as "createdAt",
  array(select r.name from user_role ur join role r on r.id = ur.role_id
        where ur.user_id = u.id order by r.name) as roles`;

export async function selectUsers(executor: Executor, query: UserQuery): Promise<KeyedUser[]> {
  const { sort, descending, after, limit } = query;
  const key = keys[sort];
  const direction = descending ? sql`desc` : sql`asc`;
  const beyond = descending ? sql`<` : sql`>`;
  const onwards =
    after === null
      ? sql`true`
      : sql`(${key}, u.id) ${beyond} (${after.key}::${keyTypes[sort]}, ${after.id}::uuid)`;
  const { rows } = await executor.execute(sql`
    select ${columns}, (${key})::text as "sortKey" from portal_user u
    where ${conditionOf(query)} and ${onwards}
    order by ${key} ${direction}, u.id ${direction} limit ${limit}`);
  return (rows as unknown as (StoredUserRow & { sortKey: string })[]).map(
    ({ sortKey, ...user }) => ({ user, sortKey }),
  );
}

export async function countUsers(
  executor: Executor,
  query: Pick<UserQuery, 'filter' | 'members'>,
): Promise<number> {
  const { rows } = await executor.execute<{ count: number }>(
    sql`select count(*)::int as count from portal_user u where ${conditionOf(query)}`,
  );
  return rows[0]?.count ?? 0;
}

export async function selectUser(
  executor: Executor,
  id: string,
): Promise<StoredUserRow | undefined> {
  const { rows } = await executor.execute(
    sql`select ${columns} from portal_user u where u.id = ${id}`,
  );
  return rows[0] as unknown as StoredUserRow | undefined;
}

function conditionOf({ filter, members }: Pick<UserQuery, 'filter' | 'members'>): SQL {
  const conditions: SQL[] = [sql`true`];
  if (filter.text !== '') {
    const wanted = `%${filter.text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    conditions.push(
      sql`(lower(u.username) like ${wanted} or lower(u.name) like ${wanted} or lower(u.email) like ${wanted}
           or u.phone like ${wanted})`,
    );
  }
  if (filter.statuses.length > 0) {
    conditions.push(sql`u.status = any(${sql.param(filter.statuses)}::text[])`);
  }
  if (filter.roles.length > 0) {
    conditions.push(sql`exists (
      select 1 from user_role ur join role r on r.id = ur.role_id
      where ur.user_id = u.id and r.name = any(${sql.param(filter.roles)}::text[]))`);
  }
  if (filter.awayDays !== null) {
    conditions.push(sql`(u.last_sign_in_at is null
      or u.last_sign_in_at < portal_now() - make_interval(days => ${filter.awayDays}))`);
  }
  if (filter.neverSignedIn) conditions.push(sql`u.last_sign_in_at is null`);
  if (members !== null) {
    conditions.push(sql`u.subject = any(${sql.param(members)}::text[])`);
  }
  return sql.join(conditions, sql` and `);
}
