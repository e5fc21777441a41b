import type { Queryable } from '../database/in-transaction.ts';

export interface StoredPasskey {
  readonly id: string;
  readonly ownerId: string;
  /** base64url. */
  readonly credentialId: string;
  /** COSE. */
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly transports: readonly string[];
  readonly aaguid: string;
  /** Whether the authenticator can copy it to other devices of the user. */
  readonly isSynced: boolean;
  readonly isBackedUp: boolean;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

const COLUMNS = `id, owner_id as "ownerId", credential_id as "credentialId", public_key as "publicKey",
  sign_count::float8 as "signCount", transports, aaguid, is_synced as "isSynced", is_backed_up as "isBackedUp",
  name, created_at as "createdAt", last_used_at as "lastUsedAt"`;

/** Oldest first. */
export async function listPasskeys(db: Queryable, ownerId: string): Promise<StoredPasskey[]> {
  const answer = await db.query<StoredPasskey>(
    `select ${COLUMNS} from identity.passkey where owner_id = $1 order by created_at, id`,
    [ownerId],
  );
  return answer.rows;
}

export async function findPasskey(
  db: Queryable,
  credentialId: string,
): Promise<StoredPasskey | undefined> {
  const answer = await db.query<StoredPasskey>(
    `select ${COLUMNS} from identity.passkey where credential_id = $1`,
    [credentialId],
  );
  return answer.rows[0];
}

/** Of these owners, those with a passkey. */
export async function findOwnersOfPasskeys(
  db: Queryable,
  ownerIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const answer = await db.query<{ ownerId: string }>(
    'select distinct owner_id as "ownerId" from identity.passkey where owner_id = any($1)',
    [ownerIds],
  );
  return new Set(answer.rows.map(({ ownerId }) => ownerId));
}

/** @returns false if the credential is already registered */
export async function insertPasskey(
  db: Queryable,
  passkey: Omit<StoredPasskey, 'lastUsedAt'>,
): Promise<boolean> {
  const answer = await db.query(
    `insert into identity.passkey (id, owner_id, credential_id, public_key, sign_count, transports, aaguid,
       is_synced, is_backed_up, name, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (credential_id) do nothing`,
    [
      ...[passkey.id, passkey.ownerId, passkey.credentialId, passkey.publicKey, passkey.signCount],
      ...[passkey.transports, passkey.aaguid, passkey.isSynced, passkey.isBackedUp],
      ...[passkey.name, passkey.createdAt],
    ],
  );
  return answer.rowCount === 1;
}

/**
 * Stores the counter of a verified signature. Authenticators without a counter always send 0.
 * @returns false if the counter did not increase; of concurrent uses of one signature, one succeeds
 */
export async function takeSignCount(
  db: Queryable,
  id: string,
  use: { readonly signCount: number; readonly isBackedUp: boolean; readonly at: Date },
): Promise<boolean> {
  const answer = await db.query(
    `update identity.passkey set sign_count = $2, is_backed_up = $3, last_used_at = $4
      where id = $1 and (sign_count < $2 or (sign_count = 0 and $2 = 0))`,
    [id, use.signCount, use.isBackedUp, use.at],
  );
  return answer.rowCount === 1;
}

export async function renamePasskey(
  db: Queryable,
  { ownerId, id, name }: Pick<StoredPasskey, 'ownerId' | 'id' | 'name'>,
): Promise<boolean> {
  const answer = await db.query(
    'update identity.passkey set name = $3 where owner_id = $1 and id = $2',
    [ownerId, id, name],
  );
  return answer.rowCount === 1;
}

export async function deletePasskey(
  db: Queryable,
  { ownerId, id }: Pick<StoredPasskey, 'ownerId' | 'id'>,
): Promise<boolean> {
  const answer = await db.query('delete from identity.passkey where owner_id = $1 and id = $2', [
    ownerId,
    id,
  ]);
  return answer.rowCount === 1;
}
