import type { SealedSecret } from '../../secrets/key-seal.ts';
import type { Queryable } from '../../store/in-transaction.ts';

export type ProviderKeyPurpose = 'signing' | 'password-rsa' | 'password-sm2';

export interface StoredProviderKey {
  readonly kid: string;
  readonly purpose: ProviderKeyPurpose;
  /** PKCS #8, PEM; of SM2, hexadecimal. Sealed for the owner `kid`. */
  readonly sealed: SealedSecret;
  readonly publicKey: string;
}

type Row = Omit<StoredProviderKey, 'sealed'> & SealedSecret;

export async function readProviderKeys(db: Queryable): Promise<StoredProviderKey[]> {
  const answer = await db.query<Row>(
    `select kid, purpose, sealed_key as box, sealing_key_id as "keyId", public_key as "publicKey"
       from identity.provider_key order by created_at, kid`,
  );
  return answer.rows.map(({ box, keyId, ...key }) => ({ ...key, sealed: { box, keyId } }));
}

export async function insertProviderKey(
  db: Queryable,
  key: StoredProviderKey,
  at: Date,
): Promise<void> {
  await db.query(
    `insert into identity.provider_key
       (kid, purpose, sealed_key, sealing_key_id, public_key, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [key.kid, key.purpose, key.sealed.box, key.sealed.keyId, key.publicKey, at],
  );
}
