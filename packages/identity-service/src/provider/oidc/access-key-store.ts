import type { Queryable } from '../../store/in-transaction.ts';

/** A pair with which a program gets tokens of its own. */
export interface AccessKey {
  readonly accessKeyId: string;
  readonly appId: string;
  readonly secretHash: Buffer;
  /** What its tokens may be asked for. */
  readonly scopes: readonly string[];
  /** With what it ends; null: when it is revoked. */
  readonly lease: Lease | null;
}

/** Something that is kept elsewhere, and ends at this time at the latest. */
export interface Lease {
  readonly id: string;
  readonly endsAt: Date;
}

/** Undefined when it was disabled, or never was. */
export async function findAccessKey(
  db: Queryable,
  accessKeyId: string,
): Promise<AccessKey | undefined> {
  const answer = await db.query<
    Omit<AccessKey, 'lease'> & { lease: string | null; expiresAt: Date | null }
  >(
    `select access_key_id as "accessKeyId", app_id as "appId", secret_hash as "secretHash", scopes,
            lease, expires_at as "expiresAt"
       from identity.provider_access_key where access_key_id = $1 and disabled_at is null`,
    [accessKeyId],
  );
  const [row] = answer.rows;
  if (row === undefined) return undefined;
  const { lease: id, expiresAt: endsAt, ...key } = row;
  return { ...key, lease: id === null || endsAt === null ? null : { id, endsAt } };
}

export async function insertAccessKey(db: Queryable, key: AccessKey, at: Date): Promise<void> {
  await db.query(
    `insert into identity.provider_access_key (access_key_id, app_id, secret_hash, scopes, created_at, lease, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      key.accessKeyId,
      key.appId,
      key.secretHash,
      key.scopes,
      at,
      key.lease?.id ?? null,
      key.lease?.endsAt ?? null,
    ],
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
