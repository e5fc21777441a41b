import type pg from 'pg';
import type { JWK } from 'jose';
import { inTransaction, type Queryable } from './in-transaction.ts';

export type KeyUse = 'id' | 'access';

export interface StoredSigningKey {
  readonly kid: string;
  readonly use: KeyUse;
  /** PKCS #8, PEM. */
  readonly privateKey: string;
  readonly publicJwk: JWK;
}

export type ServiceKeyPurpose = 'pepper' | 'encryption';

const KEY_LOCK = 7_314_900_042;

/** Runs the work alone among all servers on this database, so that two first starts make one set of keys. */
export async function withKeyLock<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [KEY_LOCK]);
    return work(client);
  });
}

/** Keys that are not retired, newest first. */
export async function readSigningKeys(db: Queryable): Promise<StoredSigningKey[]> {
  const answer = await db.query<StoredSigningKey>(
    `select kid, token_use as use, private_key as "privateKey", public_jwk as "publicJwk"
       from identity.user_pool_key where retired_at is null order by created_at desc, kid`,
  );
  return answer.rows;
}

export async function insertSigningKey(
  db: Queryable,
  key: StoredSigningKey,
  createdAt: Date,
): Promise<void> {
  await db.query(
    `insert into identity.user_pool_key (kid, token_use, private_key, public_jwk, created_at)
     values ($1, $2, $3, $4, $5)`,
    [key.kid, key.use, key.privateKey, JSON.stringify(key.publicJwk), createdAt],
  );
}

export async function readServiceKeys(db: Queryable): Promise<Map<ServiceKeyPurpose, Buffer>> {
  const answer = await db.query<{ purpose: ServiceKeyPurpose; secret: Buffer }>(
    'select purpose, secret from identity.service_key',
  );
  return new Map(answer.rows.map((row) => [row.purpose, row.secret]));
}

export async function insertServiceKey(
  db: Queryable,
  key: { readonly purpose: ServiceKeyPurpose; readonly secret: Uint8Array },
  createdAt: Date,
): Promise<void> {
  await db.query(
    'insert into identity.service_key (purpose, secret, created_at) values ($1, $2, $3)',
    [key.purpose, key.secret, createdAt],
  );
}
