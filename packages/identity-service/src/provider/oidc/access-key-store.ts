import type { Queryable } from '../../store/in-transaction.ts';

/** A pair with which a program gets tokens of its own. */
export interface AccessKey {
  readonly accessKeyId: string;
  readonly appId: string;
  readonly secretHash: Buffer;
  /** What its tokens may be asked for. */
  readonly scopes: readonly string[];
}

/** Undefined when it was disabled, or never was. */
export async function findAccessKey(
  db: Queryable,
  accessKeyId: string,
): Promise<AccessKey | undefined> {
  const answer = await db.query<AccessKey>(
    `select access_key_id as "accessKeyId", app_id as "appId", secret_hash as "secretHash", scopes
       from identity.provider_access_key where access_key_id = $1 and disabled_at is null`,
    [accessKeyId],
  );
  return answer.rows[0];
}

export async function insertAccessKey(db: Queryable, key: AccessKey, at: Date): Promise<void> {
  await db.query(
    `insert into identity.provider_access_key (access_key_id, app_id, secret_hash, scopes, created_at)
     values ($1, $2, $3, $4, $5)`,
    [key.accessKeyId, key.appId, key.secretHash, key.scopes, at],
  );
}

/** @returns false when there is no such key, or it was disabled already */
export async function setAccessKeyDisabled(
  db: Queryable,
  accessKeyId: string,
  at: Date,
): Promise<boolean> {
  const answer = await db.query(
    `update identity.provider_access_key set disabled_at = $2
      where access_key_id = $1 and disabled_at is null`,
    [accessKeyId, at],
  );
  return answer.rowCount === 1;
}
