import type { UserFilter, UserFilterAttribute } from '../cognito/administration/user-filter.ts';
import type { Queryable } from '../database/in-transaction.ts';
import { USER_COLUMNS, type PoolUser } from './pool-account-store.ts';

/** Names and addresses are compared case-insensitively, as at sign-in. */
const expressions = {
  username: 'lower(username)',
  email: 'lower(email)',
  phone_number: 'phone_number',
  name: 'lower(name)',
  given_name: "lower(standard_attributes ->> 'given_name')",
  family_name: "lower(standard_attributes ->> 'family_name')",
  preferred_username: "lower(standard_attributes ->> 'preferred_username')",
  'cognito:user_status': 'lower(status)',
  status: "case when enabled then 'enabled' else 'disabled' end",
  sub: 'sub::text',
} as const satisfies Readonly<Record<UserFilterAttribute, string>>;

/** A page in username order; `after` is the last username of the previous page. */
export async function listFilteredUsers(
  db: Queryable,
  page: {
    readonly filter: UserFilter | undefined;
    readonly group: string | undefined;
    readonly after: string | undefined;
    readonly limit: number;
  },
): Promise<PoolUser[]> {
  const { filter } = page;
  const expression = filter === undefined ? "''" : expressions[filter.attribute];
  const answer = await db.query<PoolUser>(
    `select ${USER_COLUMNS} from identity.pool_account
      where ($1::text is null or lower(username) > lower($1))
        and ${filter?.isPrefix === false ? `${expression} = lower($2)` : `starts_with(${expression}, lower($2))`}
        and ($3::text is null or sub in
             (select sub from identity.group_membership where group_name = $3))
      order by lower(username) limit $4`,
    [page.after ?? null, filter?.value ?? '', page.group ?? null, page.limit],
  );
  return answer.rows;
}
