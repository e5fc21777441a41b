import type { ProgramKey } from '@deviceportal/contract/provider-admin';
import type { Queryable } from '../database/in-transaction.ts';

interface BasicKey {
  readonly accessKeyId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

/** A key with which an application signs its calls. */
export interface SignedCallsKey extends BasicKey {
  readonly secretBox: Buffer;
  /** A policy document: what the key may do. */
  readonly policy: unknown;
}

/** A key with which an application gets its own tokens. */
export interface ClientCredentialsKey extends BasicKey {
  readonly appId: string;
  readonly secretHash: Buffer;
  /** Scopes that its tokens can have. */
  readonly scopes: readonly string[];
  /** The temporary access with which the key ends; null: it ends when it is revoked. */
  readonly accessGrant: AccessGrant | null;
}

/** Temporary access, kept by the host, that ends at this time at the latest. */
export interface AccessGrant {
  readonly id: string;
  readonly endsAt: Date;
}

/** Each key is for one use: for the other one there is no such key. */
export type AccessKeyUse = 'signed-calls' | 'client-credentials';

const SIGNED_COLUMNS = `access_key_id as "accessKeyId", name, secret_box as "secretBox", policy,
  created_at as "createdAt", revoked_at as "revokedAt"`;

/** @returns false when a key of this name is in use */
export async function insertSignedCallsKey(db: Queryable, key: SignedCallsKey): Promise<boolean> {
  const answer = await db.query(
    `insert into identity.access_key (access_key_id, use, name, secret_box, policy, created_at)
     values ($1, 'signed-calls', $2, $3, $4, $5)
     on conflict (name) where revoked_at is null and use = 'signed-calls' do nothing`,
    [key.accessKeyId, key.name, key.secretBox, JSON.stringify(key.policy), key.createdAt],
  );
  return answer.rowCount === 1;
}

export async function findSignedCallsKey(
  db: Queryable,
  accessKeyId: string,
): Promise<SignedCallsKey | undefined> {
  const answer = await db.query<SignedCallsKey>(
    `select ${SIGNED_COLUMNS} from identity.access_key where access_key_id = $1 and use = 'signed-calls'`,
    [accessKeyId],
  );
  return answer.rows[0];
}

/** Every key of this use, revoked ones included, newest first. */
export async function listSignedCallsKeys(db: Queryable): Promise<SignedCallsKey[]> {
  const answer = await db.query<SignedCallsKey>(
    `select ${SIGNED_COLUMNS} from identity.access_key where use = 'signed-calls'
      order by created_at desc, access_key_id`,
  );
  return answer.rows;
}

export async function insertClientCredentialsKey(
  db: Queryable,
  key: Omit<ClientCredentialsKey, 'revokedAt'>,
): Promise<void> {
  await db.query(
    `insert into identity.access_key
       (access_key_id, use, name, app_id, secret_hash, scopes, created_at, access_grant_id, expires_at)
     values ($1, 'client-credentials', $2, $3, $4, $5, $6, $7, $8)`,
    [
      key.accessKeyId,
      key.name,
      key.appId,
      key.secretHash,
      key.scopes,
      key.createdAt,
      key.accessGrant?.id ?? null,
      key.accessGrant?.endsAt ?? null,
    ],
  );
}

/** Undefined when it was revoked, or never was. */
export async function findClientCredentialsKey(
  db: Queryable,
  accessKeyId: string,
): Promise<ClientCredentialsKey | undefined> {
  const answer = await db.query<
    Omit<ClientCredentialsKey, 'accessGrant'> & {
      accessGrant: string | null;
      expiresAt: Date | null;
    }
  >(
    `select access_key_id as "accessKeyId", name, app_id as "appId", secret_hash as "secretHash", scopes,
            access_grant_id as "accessGrant", expires_at as "expiresAt", created_at as "createdAt", revoked_at as "revokedAt"
       from identity.access_key
      where access_key_id = $1 and use = 'client-credentials' and revoked_at is null`,
    [accessKeyId],
  );
  const [row] = answer.rows;
  if (row === undefined) return undefined;
  const { accessGrant: id, expiresAt: endsAt, ...key } = row;
  return { ...key, accessGrant: id === null || endsAt === null ? null : { id, endsAt } };
}

/** @returns the key's name; undefined when there is none of this id and use that works */
export async function markAccessKeyRevoked(
  db: Queryable,
  { accessKeyId, use }: { readonly accessKeyId: string; readonly use: AccessKeyUse },
  now: Date,
): Promise<string | undefined> {
  const answer = await db.query<{ name: string }>(
    `update identity.access_key set revoked_at = $3
      where access_key_id = $1 and use = $2 and revoked_at is null returning name`,
    [accessKeyId, use, now],
  );
  return answer.rows[0]?.name;
}

/** Position of a page: after this key. */
export interface AccessKeyPlace {
  readonly createdAt: string;
  readonly accessKeyId: string;
}

/** A key of an application, and the access grant with which it ends. */
export type ListedKey = Omit<ProgramKey, 'ended'> & { readonly accessGrant: string | null };

/** Keys of applications, newest first; only the one of `id` where that is given. */
export async function listClientCredentialsKeys(
  db: Queryable,
  {
    after,
    id,
    accessGrantId,
    limit,
  }: {
    readonly after?: AccessKeyPlace | undefined;
    readonly id?: string;
    readonly accessGrantId?: string;
    readonly limit: number;
  },
): Promise<ListedKey[]> {
  const answer = await db.query<
    Omit<ListedKey, 'createdAt' | 'expiresAt' | 'revokedAt'> & {
      createdAt: Date;
      expiresAt: Date | null;
      revokedAt: Date | null;
    }
  >(
    `select k.access_key_id as "accessKeyId", k.app_id as "appId", a.name as application, k.name, k.scopes,
            k.created_at as "createdAt", k.revoked_at as "revokedAt", k.expires_at as "expiresAt",
            k.access_grant_id as "accessGrant"
       from identity.access_key k join identity.provider_application a on a.app_id = k.app_id
      where k.use = 'client-credentials'
        and ($1::timestamptz is null or (k.created_at, k.access_key_id) < ($1, $2))
        and ($3::text is null or k.access_key_id = $3) and ($5::text is null or k.access_grant_id = $5)
      order by k.created_at desc, k.access_key_id desc limit $4`,
    [
      after?.createdAt ?? null,
      after?.accessKeyId ?? null,
      id ?? null,
      limit,
      accessGrantId ?? null,
    ],
  );
  return answer.rows.map(({ createdAt, expiresAt, revokedAt, ...key }) => ({
    ...key,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  }));
}
