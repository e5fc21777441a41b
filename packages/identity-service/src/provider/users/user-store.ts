import type { Queryable } from '../../store/in-transaction.ts';
import type { ProviderUser, UserChange } from './provider-user.ts';

const columns = {
  id: 'id',
  userPoolId: 'user_pool_id',
  status: 'status',
  blocked: 'blocked',
  username: 'username',
  email: 'email',
  emailVerified: 'email_verified',
  phone: 'phone',
  phoneCountryCode: 'phone_country_code',
  phoneE164: 'phone_e164',
  phoneVerified: 'phone_verified',
  externalId: 'external_id',
  passwordHash: 'password_hash',
  passwordLevel: 'password_level',
  mustResetPassword: 'must_reset_password',
  registerSource: 'register_source',
  profile: 'profile',
  parentUserId: 'parent_user_id',
  subAccount: 'sub_account',
  loginsCount: 'logins_count',
  lastLoginAt: 'last_login_at',
  lastAddress: 'last_address',
  createdAt: 'created_at',
  modifiedAt: 'modified_at',
} as const satisfies Record<keyof ProviderUser, string>;

const COLUMNS = Object.entries(columns)
  .map(([name, column]) => `${column} as "${name}"`)
  .join(', ');

/** By what an account is found; each is unique in a pool, unless it says otherwise. */
const conditions = {
  id: 'id = $2',
  username: 'lower(username) = lower($2)',
  email: 'lower(email) = lower($2)',
  phone: 'phone_e164 = $2',
  /** Without its country: not unique, any one of them is found. */
  nationalPhone: 'phone = $2',
  externalId: 'external_id = $2',
  subAccount: 'lower(sub_account) = lower($2)',
} as const;
export type UserKey = keyof typeof conditions;

export async function findUser(
  db: Queryable,
  userPoolId: string,
  [key, value]: readonly [UserKey, string],
): Promise<ProviderUser | undefined> {
  // PostgreSQL keeps no NUL character, and refuses to look for one.
  if (value.includes('\0')) return undefined;
  const answer = await db.query<ProviderUser>(
    `select ${COLUMNS} from identity.provider_user where user_pool_id = $1 and ${conditions[key]} limit 1`,
    [userPoolId, value],
  );
  return answer.rows[0];
}

/** Until the end of the transaction nobody else changes them. */
export async function lockUser(
  db: Queryable,
  userPoolId: string,
  id: string,
): Promise<ProviderUser | undefined> {
  const answer = await db.query<ProviderUser>(
    `select ${COLUMNS} from identity.provider_user where user_pool_id = $1 and id = $2 for update`,
    [userPoolId, id],
  );
  return answer.rows[0];
}

/** Those of them that there are. */
export async function findUsers(
  db: Queryable,
  userPoolId: string,
  ids: readonly string[],
): Promise<ProviderUser[]> {
  const answer = await db.query<ProviderUser>(
    `select ${COLUMNS} from identity.provider_user where user_pool_id = $1 and id = any($2::text[])`,
    [userPoolId, ids],
  );
  return answer.rows;
}

/** @returns undefined when the pool has somebody with one of its names already */
export async function insertUser(
  db: Queryable,
  user: UserChange & Pick<ProviderUser, 'id' | 'userPoolId' | 'createdAt' | 'modifiedAt'>,
): Promise<ProviderUser | undefined> {
  const names = namesIn(user);
  const answer = await db.query<ProviderUser>(
    `insert into identity.provider_user (${names.map((name) => columns[name]).join(', ')})
     values (${names.map((_, index) => `$${index + 1}`).join(', ')})
     on conflict do nothing returning ${COLUMNS}`,
    names.map((name) => user[name]),
  );
  return answer.rows[0];
}

/**
 * @returns undefined when there is no such user
 * @throws pg.DatabaseError 23505 when somebody else has one of the names
 */
export async function updateUser(
  db: Queryable,
  id: string,
  change: UserChange & Pick<ProviderUser, 'modifiedAt'>,
): Promise<ProviderUser | undefined> {
  const names = namesIn(change);
  const answer = await db.query<ProviderUser>(
    `update identity.provider_user
        set ${names.map((name, index) => `${columns[name]} = $${index + 2}`).join(', ')}
      where id = $1 returning ${COLUMNS}`,
    [id, ...names.map((name) => change[name])],
  );
  return answer.rows[0];
}

export async function countLogin(
  db: Queryable,
  id: string,
  { at, address }: { readonly at: Date; readonly address: string },
): Promise<ProviderUser | undefined> {
  const answer = await db.query<ProviderUser>(
    `update identity.provider_user
        set logins_count = logins_count + 1, last_login_at = $2, last_address = $3
      where id = $1 returning ${COLUMNS}`,
    [id, at, address],
  );
  return answer.rows[0];
}

/** The fields that are set. */
function namesIn<T extends UserChange>(change: T): (keyof T & keyof ProviderUser)[] {
  return (Object.keys(columns) as (keyof T & keyof ProviderUser)[]).filter(
    (name) => change[name] !== undefined,
  );
}
