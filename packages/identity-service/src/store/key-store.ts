import type pg from 'pg';
import type { JWK } from 'jose';
import type { KeySeal, SealedSecret } from '../secrets/key-seal.ts';
import { inTransaction, type Queryable } from './in-transaction.ts';

export type KeyUse = 'id' | 'access';

export interface StoredSigningKey {
  readonly kid: string;
  readonly use: KeyUse;
  /** PKCS #8, PEM, sealed for the owner `kid`. */
  readonly sealed: SealedSecret;
  readonly publicJwk: JWK;
  readonly signsFrom: Date;
  /** The longest life that tokens of this key ever had. */
  readonly longestTokenSeconds: number;
}

export type ServiceKeyPurpose = 'pepper' | 'encryption';

const KEY_LOCK = 7_314_900_042;

/** Runs the work alone among all servers on this database, so that two of them make one set of keys. */
export async function withKeyLock<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [KEY_LOCK]);
    return work(client);
  });
}

type SigningKeyRow = Omit<StoredSigningKey, 'sealed'> & SealedSecret;

/** Newest first. */
export async function readSigningKeys(db: Queryable): Promise<StoredSigningKey[]> {
  const answer = await db.query<SigningKeyRow>(
    `select kid, token_use as use, sealed_key as box, sealing_key_id as "keyId",
            public_jwk as "publicJwk", signs_from as "signsFrom",
            longest_token_seconds as "longestTokenSeconds"
       from identity.user_pool_key where sealed_key is not null order by signs_from desc, kid desc`,
  );
  return answer.rows.map(({ box, keyId, ...key }) => ({ ...key, sealed: { box, keyId } }));
}

export async function insertSigningKey(
  db: Queryable,
  key: StoredSigningKey,
  createdAt: Date,
): Promise<void> {
  await db.query(
    `insert into identity.user_pool_key (kid, token_use, sealed_key, sealing_key_id, public_jwk,
       signs_from, longest_token_seconds, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      key.kid,
      key.use,
      key.sealed.box,
      key.sealed.keyId,
      JSON.stringify(key.publicJwk),
      key.signsFrom,
      key.longestTokenSeconds,
      createdAt,
    ],
  );
}

/** Remembers how long tokens may live that are signed from now on. */
export async function raiseLongestToken(db: Queryable, seconds: number): Promise<void> {
  await db.query(
    'update identity.user_pool_key set longest_token_seconds = $1 where longest_token_seconds < $1',
    [seconds],
  );
}

export async function deleteSigningKeys(db: Queryable, kids: readonly string[]): Promise<void> {
  await db.query('delete from identity.user_pool_key where kid = any($1)', [kids]);
}

/** The sealed secrets by purpose. */
export async function readServiceKeys(
  db: Queryable,
): Promise<Map<ServiceKeyPurpose, SealedSecret>> {
  const answer = await db.query<SealedSecret & { purpose: ServiceKeyPurpose }>(
    `select purpose, sealed_secret as box, sealing_key_id as "keyId"
       from identity.service_key where sealed_secret is not null`,
  );
  return new Map(answer.rows.map(({ purpose, box, keyId }) => [purpose, { box, keyId }]));
}

export async function insertServiceKey(
  db: Queryable,
  key: { readonly purpose: ServiceKeyPurpose; readonly sealed: SealedSecret },
  createdAt: Date,
): Promise<void> {
  await db.query(
    `insert into identity.service_key (purpose, sealed_secret, sealing_key_id, created_at)
     values ($1, $2, $3, $4)`,
    [key.purpose, key.sealed.box, key.sealed.keyId, createdAt],
  );
}

/** Seals what an older release, or a backup of one, left in clear. @returns how many keys that were */
export async function sealClearKeys(db: Queryable, seal: KeySeal): Promise<number> {
  const services = await db.query<{ owner: string; secret: Buffer }>(
    'select purpose as owner, secret from identity.service_key where secret is not null',
  );
  for (const { owner, secret } of services.rows) {
    const { box, keyId } = seal.seal(secret.toString('base64'), owner);
    await db.query(
      `update identity.service_key set secret = null, sealed_secret = $2, sealing_key_id = $3
        where purpose = $1`,
      [owner, box, keyId],
    );
  }
  const signing = await db.query<{ owner: string; secret: string }>(
    'select kid as owner, private_key as secret from identity.user_pool_key where private_key is not null',
  );
  for (const { owner, secret } of signing.rows) {
    const { box, keyId } = seal.seal(secret, owner);
    await db.query(
      `update identity.user_pool_key set private_key = null, sealed_key = $2, sealing_key_id = $3
        where kid = $1`,
      [owner, box, keyId],
    );
  }
  return services.rows.length + signing.rows.length;
}

/** Rewrites the two small tables: a changed row's old contents would otherwise stay in their files. */
export async function rewriteKeyTables(db: Queryable): Promise<void> {
  await db.query('vacuum full identity.service_key');
  await db.query('vacuum full identity.user_pool_key');
}
