import type { SealedSecret } from '../secrets/key-seal.ts';
import type { Queryable } from '../database/in-transaction.ts';

/**
 * The only use of a key pair. `id` and `access` sign tokens of the user pool, `provider-token` all
 * tokens of the provider, `saml` assertions; the others decrypt passwords from clients.
 */
export type KeyUse = 'id' | 'access' | 'provider-token' | 'saml' | 'password-rsa' | 'password-sm2';

/** The private half alone: the public one is made from it. */
export interface StoredKeyPair {
  readonly kid: string;
  readonly use: KeyUse;
  /** PKCS #8, PEM; of SM2, hexadecimal. Sealed for the owner `kid`. */
  readonly sealed: SealedSecret;
  readonly signsFrom: Date;
  /** The longest time for which something that it signed is shown to us; 0 for keys that sign nothing of that kind. */
  readonly longestTokenSeconds: number;
}

type Row = Omit<StoredKeyPair, 'sealed'> & SealedSecret;

/** Oldest first. */
export async function readKeyPairs(
  db: Queryable,
  uses: readonly KeyUse[],
): Promise<StoredKeyPair[]> {
  const answer = await db.query<Row>(
    `select kid, use, sealed_key as box, sealing_key_id as "keyId", signs_from as "signsFrom",
            longest_token_seconds as "longestTokenSeconds"
       from identity.key_pair where use = any($1) and sealed_key is not null order by signs_from, kid`,
    [uses],
  );
  return answer.rows.map(({ box, keyId, ...key }) => ({ ...key, sealed: { box, keyId } }));
}

export async function insertKeyPair(db: Queryable, key: StoredKeyPair, at: Date): Promise<void> {
  await db.query(
    `insert into identity.key_pair
       (kid, use, sealed_key, sealing_key_id, signs_from, longest_token_seconds, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      key.kid,
      key.use,
      key.sealed.box,
      key.sealed.keyId,
      key.signsFrom,
      key.longestTokenSeconds,
      at,
    ],
  );
}

/** Remembers how long what is signed from now on may be shown to us. */
export async function raiseLongestToken(
  db: Queryable,
  uses: readonly KeyUse[],
  seconds: number,
): Promise<void> {
  await db.query(
    `update identity.key_pair set longest_token_seconds = $2
      where use = any($1) and longest_token_seconds < $2`,
    [uses, seconds],
  );
}

export async function deleteKeyPairs(db: Queryable, kids: readonly string[]): Promise<void> {
  await db.query('delete from identity.key_pair where kid = any($1)', [kids]);
}
