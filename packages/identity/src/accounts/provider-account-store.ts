import type { ProviderUser, UserChange } from './provider-user.ts';
import type { Queryable } from '../database/in-transaction.ts';
import { providerDirectory } from './directory.ts';

interface Column {
  readonly column: string;
  readonly type: 'text' | 'text[]' | 'boolean' | 'smallint' | 'integer' | 'jsonb' | 'timestamptz';
}
type Field = Exclude<keyof ProviderUser, 'id' | 'userPoolId'>;

/** Names and contacts of an account in its directory, and whether the contacts are verified. */
const accountColumns = {
  username: { column: 'username', type: 'text' },
  email: { column: 'email', type: 'text' },
  emailVerified: { column: 'email_verified', type: 'boolean' },
  phoneE164: { column: 'phone_number', type: 'text' },
  phoneVerified: { column: 'phone_number_verified', type: 'boolean' },
  externalId: { column: 'external_id', type: 'text' },
  subAccount: { column: 'sub_account', type: 'text' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
  modifiedAt: { column: 'modified_at', type: 'timestamptz' },
} as const satisfies Partial<Record<Field, Column>>;

/** Fields of the provider only. */
const factColumns = {
  status: { column: 'status', type: 'text' },
  blocked: { column: 'blocked', type: 'boolean' },
  phone: { column: 'phone', type: 'text' },
  phoneCountryCode: { column: 'phone_country_code', type: 'text' },
  passwordHash: { column: 'password_hash', type: 'text' },
  passwordLevel: { column: 'password_level', type: 'smallint' },
  mustResetPassword: { column: 'must_reset_password', type: 'boolean' },
  registerSource: { column: 'register_source', type: 'text[]' },
  profile: { column: 'profile', type: 'jsonb' },
  parentUserId: { column: 'parent_user_id', type: 'text' },
  loginsCount: { column: 'logins_count', type: 'integer' },
  lastLoginAt: { column: 'last_login_at', type: 'timestamptz' },
  lastAddress: { column: 'last_address', type: 'text' },
} as const satisfies Partial<Record<Field, Column>>;

/** @param source table alias of each part */
function columnsFrom(source: { readonly account: string; readonly facts: string }): string {
  const listed = (columns: Readonly<Record<string, Column>>, table: string): string[] =>
    Object.entries(columns).map(([field, { column }]) => `${table}.${column} as "${field}"`);
  return [
    `${source.facts}.id`,
    `substr(${source.account}.directory, 10) as "userPoolId"`,
    ...listed(accountColumns, source.account),
    ...listed(factColumns, source.facts),
  ].join(', ');
}

const COLUMNS = columnsFrom({ account: 'a', facts: 'u' });
/** `provider_user` first, so that rows are always locked in the same order. */
const ACCOUNTS = 'identity.provider_user u join identity.account a on a.account_id = u.id';

/** Lookup conditions. Each is unique in a directory unless stated otherwise. */
const conditions = {
  id: 'u.id = $2',
  username: 'lower(a.username) = lower($2)',
  email: 'lower(a.email) = lower($2)',
  phone: 'a.phone_number = $2',
  /** Without the country code, so not unique: finds any match. */
  nationalPhone: 'u.phone = $2',
  externalId: 'a.external_id = $2',
  subAccount: 'lower(a.sub_account) = lower($2)',
} as const;
export type UserKey = keyof typeof conditions;

export async function findUser(
  db: Queryable,
  userPoolId: string,
  [key, value]: readonly [UserKey, string],
): Promise<ProviderUser | undefined> {
  // PostgreSQL cannot store NUL characters, and rejects them in parameters.
  if (value.includes('\0')) return undefined;
  const answer = await db.query<ProviderUser>(
    `select ${COLUMNS} from ${ACCOUNTS} where a.directory = $1 and ${conditions[key]} limit 1`,
    [providerDirectory(userPoolId), value],
  );
  return answer.rows[0];
}

/** Locks the users against changes until the end of the transaction. */
export async function lockUser(
  db: Queryable,
  userPoolId: string,
  id: string,
): Promise<ProviderUser | undefined> {
  const answer = await db.query<ProviderUser>(
    `select ${COLUMNS} from ${ACCOUNTS} where a.directory = $1 and u.id = $2 for update`,
    [providerDirectory(userPoolId), id],
  );
  return answer.rows[0];
}

/** The given users that exist. */
export async function findUsers(
  db: Queryable,
  userPoolId: string,
  ids: readonly string[],
): Promise<ProviderUser[]> {
  const answer = await db.query<ProviderUser>(
    `select ${COLUMNS} from ${ACCOUNTS} where a.directory = $1 and u.id = any($2::text[])`,
    [providerDirectory(userPoolId), ids],
  );
  return answer.rows;
}

/** @returns undefined if a user of the directory already has one of its names */
export async function insertUser(
  db: Queryable,
  user: UserChange & Pick<ProviderUser, 'id' | 'userPoolId' | 'createdAt' | 'modifiedAt'>,
): Promise<ProviderUser | undefined> {
  const account = setIn(user, accountColumns, 3);
  const facts = setIn(user, factColumns, 3 + account.length);
  const answer = await db.query<ProviderUser>(
    `with a as (
       insert into identity.account (account_id, directory${account.map(({ column }) => `, ${column}`).join('')})
       values ($1, $2${account.map(({ value }) => `, ${value}`).join('')})
       on conflict do nothing returning *),
     u as (
       insert into identity.provider_user (id${facts.map(({ column }) => `, ${column}`).join('')})
       select a.account_id${facts.map(({ value }) => `, ${value}`).join('')} from a returning *)
     select ${COLUMNS} from u join a on a.account_id = u.id`,
    [
      user.id,
      providerDirectory(user.userPoolId),
      ...[...account, ...facts].map(({ given }) => given),
    ],
  );
  return answer.rows[0];
}

/**
 * @returns undefined if there is no such user
 * @throws pg.DatabaseError 23505 if another user has one of the names
 */
export async function updateUser(
  db: Queryable,
  id: string,
  change: UserChange & Pick<ProviderUser, 'modifiedAt'>,
): Promise<ProviderUser | undefined> {
  const account = setIn(change, accountColumns, 2);
  const facts = setIn(change, factColumns, 2 + account.length);
  const assigned = (parts: readonly Assignment[]): string =>
    parts.map(({ column, value }) => `${column} = ${value}`).join(', ');
  const answer = await db.query<ProviderUser>(
    `with u as (
       update identity.provider_user set ${assigned([{ column: 'id', value: 'id' }, ...facts])}
        where id = $1 returning *),
     a as (
       update identity.account set ${assigned(account)}
         from u where account_id = u.id returning account.*)
     select ${COLUMNS} from u join a on a.account_id = u.id`,
    [id, ...[...account, ...facts].map(({ given }) => given)],
  );
  return answer.rows[0];
}

export async function countLogin(
  db: Queryable,
  id: string,
  { at, address }: { readonly at: Date; readonly address: string },
): Promise<ProviderUser | undefined> {
  const answer = await db.query<ProviderUser>(
    `with u as (
       update identity.provider_user
          set logins_count = logins_count + 1, last_login_at = $2, last_address = $3
        where id = $1 returning *)
     select ${COLUMNS} from u join identity.account a on a.account_id = u.id`,
    [id, at, address],
  );
  return answer.rows[0];
}

interface Assignment {
  readonly column: string;
  /** SQL. */
  readonly value: string;
}

/** The columns and values to set, with parameters numbered from `from`. */
function setIn(
  user: Partial<ProviderUser>,
  columns: Partial<Record<Field, Column>>,
  from: number,
): (Assignment & { readonly given: unknown })[] {
  return (Object.entries(columns) as [Field, Column][])
    .filter(([field]) => user[field] !== undefined)
    .map(([field, { column, type }], index) => ({
      column,
      value: `$${from + index}::${type}`,
      given: user[field],
    }));
}
