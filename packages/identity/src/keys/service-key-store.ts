import type { KeySeal, SealedSecret } from '../secrets/key-seal.ts';
import type { Queryable } from '../database/in-transaction.ts';

/** Random keys of the service: the pepper of all stored hashes, and the key of stored secrets. */
export type ServiceKeyPurpose = 'pepper' | 'encryption';

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
  const pairs = await db.query<{ owner: string; secret: string }>(
    'select kid as owner, clear_key as secret from identity.key_pair where clear_key is not null',
  );
  for (const { owner, secret } of pairs.rows) {
    const { box, keyId } = seal.seal(secret, owner);
    await db.query(
      `update identity.key_pair set clear_key = null, sealed_key = $2, sealing_key_id = $3
        where kid = $1`,
      [owner, box, keyId],
    );
  }
  return services.rows.length + pairs.rows.length;
}

/** Rewrites the two small tables: a changed row's old contents would otherwise stay in their files. */
export async function rewriteKeyTables(db: Queryable): Promise<void> {
  await db.query('vacuum full identity.service_key');
  await db.query('vacuum full identity.key_pair');
}
