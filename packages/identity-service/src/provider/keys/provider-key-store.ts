import type { SealedSecret } from '../../secrets/key-seal.ts';
import type { Queryable } from '../../store/in-transaction.ts';

export type ProviderKeyPurpose = 'signing' | 'saml' | 'password-rsa' | 'password-sm2';

export interface StoredProviderKey {
  readonly kid: string;
  readonly purpose: ProviderKeyPurpose;
  /** PKCS #8, PEM; of SM2, hexadecimal. Sealed for the owner `kid`. */
  readonly sealed: SealedSecret;
  readonly publicKey: string;
  readonly signsFrom: Date;
  /** The longest time for which something that it signed is shown to us; 0 for keys that sign nothing of that kind. */
  readonly longestTokenSeconds: number;
}

type Row = Omit<StoredProviderKey, 'sealed'> & SealedSecret;

/** Oldest first. */
export async function readProviderKeys(
  db: Queryable,
  purposes: readonly ProviderKeyPurpose[],
): Promise<StoredProviderKey[]> {
  const answer = await db.query<Row>(
    `select kid, purpose, sealed_key as box, sealing_key_id as "keyId", public_key as "publicKey",
            signs_from as "signsFrom", longest_token_seconds as "longestTokenSeconds"
       from identity.provider_key where purpose = any($1) order by signs_from, kid`,
    [purposes],
  );
  return answer.rows.map(({ box, keyId, ...key }) => ({ ...key, sealed: { box, keyId } }));
}

export async function insertProviderKey(
  db: Queryable,
  key: StoredProviderKey,
  at: Date,
): Promise<void> {
  await db.query(
    `insert into identity.provider_key (kid, purpose, sealed_key, sealing_key_id, public_key,
       signs_from, longest_token_seconds, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      key.kid,
      key.purpose,
      key.sealed.box,
      key.sealed.keyId,
      key.publicKey,
      key.signsFrom,
      key.longestTokenSeconds,
      at,
    ],
  );
}

/** Remembers how long what is signed from now on may be shown to us. */
export async function raiseLongestProviderToken(db: Queryable, seconds: number): Promise<void> {
  await db.query(
    `update identity.provider_key set longest_token_seconds = $1
      where purpose = 'signing' and longest_token_seconds < $1`,
    [seconds],
  );
}

export async function deleteProviderKeys(db: Queryable, kids: readonly string[]): Promise<void> {
  await db.query('delete from identity.provider_key where kid = any($1)', [kids]);
}

/** The signing key whose certificate service providers of SAML have, from before these had a key of their own. */
export async function findCertifiedSigningKey(db: Queryable): Promise<string | undefined> {
  const answer = await db.query<{ kid: string }>(
    `select kid from identity.provider_saml_certificate c join identity.provider_key k using (kid)
      where k.purpose = 'signing' limit 1`,
  );
  return answer.rows[0]?.kid;
}

/** Gives the certificate of one key to another one. */
export async function moveSamlCertificate(
  db: Queryable,
  fromKid: string,
  toKid: string,
): Promise<void> {
  await db.query('update identity.provider_saml_certificate set kid = $2 where kid = $1', [
    fromKid,
    toKid,
  ]);
}
