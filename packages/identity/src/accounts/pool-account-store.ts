import type { Queryable } from '../database/in-transaction.ts';

/** As in a hosted pool (cognito.md, section 3). Users without a password are CONFIRMED from the start. */
export type UserStatus =
  | 'UNCONFIRMED'
  | 'CONFIRMED'
  | 'EXTERNAL_PROVIDER'
  | 'RESET_REQUIRED'
  | 'FORCE_CHANGE_PASSWORD';

/** A user of the user pool. */
export interface PoolUser {
  readonly sub: string;
  readonly username: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  /** E.164, such as `+48123456789`. */
  readonly phoneNumber: string | null;
  readonly phoneNumberVerified: boolean;
  readonly name: string | null;
  /** Attributes without their own field, such as `given_name`. */
  readonly standardAttributes: Readonly<Record<string, string>>;
  /** Without the prefix `custom:`. */
  readonly customAttributes: Readonly<Record<string, string>>;
  readonly enabled: boolean;
  readonly status: UserStatus;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}

export const USER_COLUMNS = `sub, username, email, email_verified as "emailVerified",
  phone_number as "phoneNumber", phone_number_verified as "phoneNumberVerified", name,
  standard_attributes as "standardAttributes", custom_attributes as "customAttributes", enabled, status, created_at as "createdAt", modified_at as "modifiedAt"`;

/** Finds a user by username, email address, or phone number, in this order, case-insensitively. */
export async function findUserByIdentifier(
  db: Queryable,
  identifier: { readonly text: string; readonly phoneNumber: string | undefined },
): Promise<PoolUser | undefined> {
  const answer = await db.query<PoolUser>(
    `select ${USER_COLUMNS} from identity.pool_account
      where lower(username) = lower($1) or lower(email) = lower($1) or phone_number = $2
      order by (lower(username) = lower($1)) desc, (lower(email) = lower($1)) desc nulls last limit 1`,
    [identifier.text, identifier.phoneNumber ?? null],
  );
  return answer.rows[0];
}

export async function findUserBySub(db: Queryable, sub: string): Promise<PoolUser | undefined> {
  const answer = await db.query<PoolUser>(
    `select ${USER_COLUMNS} from identity.pool_account where sub = $1`,
    [sub],
  );
  return answer.rows[0];
}

/** Reads a user and locks the row until the transaction ends. */
export async function lockUser(db: Queryable, sub: string): Promise<PoolUser | undefined> {
  const answer = await db.query<PoolUser>(
    `select ${USER_COLUMNS} from identity.pool_account where sub = $1 for update`,
    [sub],
  );
  return answer.rows[0];
}

/** A page in username order; `after` is the last username of the previous page. */
export async function listUserPage(
  db: Queryable,
  page: {
    readonly prefix: string;
    readonly after: string | undefined;
    readonly limit: number;
    readonly group: string | undefined;
  },
): Promise<PoolUser[]> {
  const answer = await db.query<PoolUser>(
    `select ${USER_COLUMNS} from identity.pool_account
      where ($2::text is null or lower(username) > lower($2))
        and (starts_with(lower(username), lower($1)) or starts_with(lower(email), lower($1))
             or starts_with(lower(name), lower($1)) or starts_with(phone_number, $1))
        and ($4::text is null or sub in
             (select sub from identity.group_membership where group_name = $4))
      order by lower(username) limit $3`,
    [page.prefix, page.after ?? null, page.limit, page.group ?? null],
  );
  return answer.rows;
}

/** @throws pg.DatabaseError 23505 if the username, email address, or phone number is taken */
export async function insertUser(db: Queryable, user: PoolUser): Promise<void> {
  await db.query(
    `with made as (
       insert into identity.account (account_id, directory, username, email, email_verified, phone_number,
         phone_number_verified, created_at, modified_at)
       values ($1::text, 'user-pool', $2, $3, $4, $5, $6, $7, $8))
     insert into identity.pool_user (sub, name, custom_attributes, enabled, status, standard_attributes)
     values ($1::uuid, $9, $10, $11, $12, $13)`,
    [
      user.sub,
      user.username,
      user.email,
      user.emailVerified,
      user.phoneNumber,
      user.phoneNumberVerified,
      user.createdAt,
      user.modifiedAt,
      user.name,
      JSON.stringify(user.customAttributes),
      user.enabled,
      user.status,
      JSON.stringify(user.standardAttributes),
    ],
  );
}

/** Writes all attributes except sub and username, which never change. */
export async function replaceUser(db: Queryable, user: PoolUser): Promise<void> {
  await db.query(
    `with facts as (
       update identity.pool_user set name = $7, custom_attributes = $8, enabled = $9, status = $10,
         standard_attributes = $11
        where sub = $1 returning account_id)
     update identity.account a set email = $2, email_verified = $3, phone_number = $4, phone_number_verified = $5,
       modified_at = $6
       from facts where a.account_id = facts.account_id`,
    [
      user.sub,
      user.email,
      user.emailVerified,
      user.phoneNumber,
      user.phoneNumberVerified,
      user.modifiedAt,
      user.name,
      JSON.stringify(user.customAttributes),
      user.enabled,
      user.status,
      JSON.stringify(user.standardAttributes),
    ],
  );
}

/** Also deletes memberships, sessions, and credentials by cascade. */
export async function deleteUserRow(db: Queryable, sub: string): Promise<boolean> {
  const answer = await db.query(
    `with facts as (delete from identity.pool_user where sub = $1 returning account_id)
     delete from identity.account a using facts where a.account_id = facts.account_id`,
    [sub],
  );
  return answer.rowCount === 1;
}
