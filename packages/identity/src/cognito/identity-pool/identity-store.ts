import type { Queryable } from '../../database/in-transaction.ts';

/** One identity of the identity pool; a guest has no login. */
export interface PoolIdentity {
  readonly identityId: string;
  /** The identity that took over from this guest. */
  readonly spentInto: string | null;
  readonly hasLogin: boolean;
}

export interface Login {
  /** Issuer without scheme. */
  readonly provider: string;
  readonly subject: string;
}

export async function insertIdentity(db: Queryable, identityId: string, now: Date): Promise<void> {
  await db.query(
    'insert into identity.identity (identity_id, created_at, used_at) values ($1, $2, $2)',
    [identityId, now],
  );
}

/** Reads and locks an identity for the rest of the transaction, so that a guest is exchanged once. */
export async function lockIdentity(
  db: Queryable,
  identityId: string,
): Promise<PoolIdentity | undefined> {
  const answer = await db.query<{ identityId: string; spentInto: string | null }>(
    `select identity_id as "identityId", spent_into as "spentInto"
       from identity.identity where identity_id = $1 for update`,
    [identityId],
  );
  const found = answer.rows[0];
  if (found === undefined) return undefined;
  // A second statement: it must see the logins that were committed while the lock was awaited.
  const logins = await db.query('select 1 from identity.identity_login where identity_id = $1', [
    identityId,
  ]);
  return { ...found, hasLogin: (logins.rowCount ?? 0) > 0 };
}

export async function findIdentityOfLogin(
  db: Queryable,
  login: Login,
): Promise<string | undefined> {
  const answer = await db.query<{ identityId: string }>(
    `select identity_id as "identityId" from identity.identity_login
      where provider = $1 and subject = $2`,
    [login.provider, login.subject],
  );
  return answer.rows[0]?.identityId;
}

/** @returns false when the login belongs to an identity already */
export async function attachLogin(
  db: Queryable,
  login: Login & { readonly identityId: string },
  now: Date,
): Promise<boolean> {
  const answer = await db.query(
    `insert into identity.identity_login (provider, subject, identity_id, created_at)
     values ($1, $2, $3, $4) on conflict do nothing`,
    [login.provider, login.subject, login.identityId, now],
  );
  return answer.rowCount === 1;
}

export async function markIdentitySpent(
  db: Queryable,
  identityId: string,
  into: string,
): Promise<void> {
  await db.query('update identity.identity set spent_into = $2 where identity_id = $1', [
    identityId,
    into,
  ]);
}

export async function touchIdentity(db: Queryable, identityId: string, now: Date): Promise<void> {
  await db.query('update identity.identity set used_at = $2 where identity_id = $1', [
    identityId,
    now,
  ]);
}
