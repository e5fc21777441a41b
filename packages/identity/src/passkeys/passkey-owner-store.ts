import type { Queryable } from '../database/in-transaction.ts';

export interface StoredPasskeyOwner {
  readonly ownerId: string;
  readonly userHandle: Buffer;
  /** Whether a passkey replaces the code at sign-in. */
  readonly signsIn: boolean;
}

const COLUMNS = 'owner_id as "ownerId", user_handle as "userHandle", signs_in as "signsIn"';

/** Adds an owner unless there is one already. */
export async function ensurePasskeyOwner(
  db: Queryable,
  owner: { readonly ownerId: string; readonly userHandle: Buffer; readonly createdAt: Date },
): Promise<void> {
  await db.query(
    `insert into identity.passkey_owner (owner_id, account_id, user_handle, created_at)
     values ($1, (select account_id from identity.account where account_id = $1), $2, $3)
     on conflict (owner_id) do nothing`,
    [owner.ownerId, owner.userHandle, owner.createdAt],
  );
}

export async function findPasskeyOwner(
  db: Queryable,
  ownerId: string,
): Promise<StoredPasskeyOwner | undefined> {
  const answer = await db.query<StoredPasskeyOwner>(
    `select ${COLUMNS} from identity.passkey_owner where owner_id = $1`,
    [ownerId],
  );
  return answer.rows[0];
}

/** Holds the owner until the end of the transaction, so that limits also apply to concurrent calls. */
export async function lockPasskeyOwner(
  db: Queryable,
  ownerId: string,
): Promise<StoredPasskeyOwner | undefined> {
  const answer = await db.query<StoredPasskeyOwner>(
    `select ${COLUMNS} from identity.passkey_owner where owner_id = $1 for update`,
    [ownerId],
  );
  return answer.rows[0];
}

export async function setSignsIn(
  db: Queryable,
  ownerId: string,
  signsIn: boolean,
): Promise<boolean> {
  const answer = await db.query(
    `update identity.passkey_owner set signs_in = $2
      where owner_id = $1 and signs_in is distinct from $2`,
    [ownerId, signsIn],
  );
  return answer.rowCount === 1;
}

/** Deletes an owner with all passkeys, challenges, and recovery codes. @returns whether there was one */
export async function deletePasskeyOwner(db: Queryable, ownerId: string): Promise<boolean> {
  const answer = await db.query('delete from identity.passkey_owner where owner_id = $1', [
    ownerId,
  ]);
  return answer.rowCount === 1;
}
