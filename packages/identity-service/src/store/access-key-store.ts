import type { Queryable } from './in-transaction.ts';

/** A long-lived key of a program. */
export interface StoredAccessKey {
  readonly accessKeyId: string;
  readonly name: string;
  readonly secretBox: Buffer;
  /** A policy document: what the key may do. */
  readonly policy: unknown;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

const COLUMNS = `access_key_id as "accessKeyId", name, secret_box as "secretBox", policy,
  created_at as "createdAt", revoked_at as "revokedAt"`;

/** @returns false when a key of this name is in use */
export async function insertAccessKey(db: Queryable, key: StoredAccessKey): Promise<boolean> {
  const answer = await db.query(
    `insert into identity.access_key (access_key_id, name, secret_box, policy, created_at)
     values ($1, $2, $3, $4, $5) on conflict (name) where revoked_at is null do nothing`,
    [key.accessKeyId, key.name, key.secretBox, JSON.stringify(key.policy), key.createdAt],
  );
  return answer.rowCount === 1;
}

export async function findAccessKey(
  db: Queryable,
  accessKeyId: string,
): Promise<StoredAccessKey | undefined> {
  const answer = await db.query<StoredAccessKey>(
    `select ${COLUMNS} from identity.access_key where access_key_id = $1`,
    [accessKeyId],
  );
  return answer.rows[0];
}

/** Every key, revoked ones included, newest first. */
export async function listStoredAccessKeys(db: Queryable): Promise<StoredAccessKey[]> {
  const answer = await db.query<StoredAccessKey>(
    `select ${COLUMNS} from identity.access_key order by created_at desc, access_key_id`,
  );
  return answer.rows;
}

/** @returns the key's name; undefined when there is none of this id in use */
export async function markAccessKeyRevoked(
  db: Queryable,
  accessKeyId: string,
  now: Date,
): Promise<string | undefined> {
  const answer = await db.query<{ name: string }>(
    `update identity.access_key set revoked_at = $2
      where access_key_id = $1 and revoked_at is null returning name`,
    [accessKeyId, now],
  );
  return answer.rows[0]?.name;
}
