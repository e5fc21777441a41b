import type { Queryable } from '../database/in-transaction.ts';

/** One thing that the protocols keep; see the comments of its table. */
export interface OidcEntry {
  readonly kind: string;
  readonly idHash: Buffer;
  readonly payloadBox: Buffer;
  readonly grantHash: Buffer | null;
  readonly uidHash: Buffer | null;
  readonly userId: string | null;
  readonly isPublic: boolean;
  /** The session with which it ends; must belong to the same user. */
  readonly signInId: string | null;
  readonly expiresAt: Date | null;
}

export interface StoredOidcEntry {
  readonly idHash: Buffer;
  readonly payloadBox: Buffer;
  readonly isPublic: boolean;
  readonly consumedAt: Date | null;
}

const COLUMNS = `id_hash as "idHash", payload_box as "payloadBox", is_public as "isPublic",
  consumed_at as "consumedAt"`;

/** Makes or replaces the entry; what was consumed stays so. */
export async function upsertEntry(db: Queryable, entry: OidcEntry, at: Date): Promise<void> {
  await db.query(
    `insert into identity.provider_oidc_entry (kind, id_hash, payload_box, grant_hash, uid_hash,
       user_id, is_public, created_at, expires_at, sign_in_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9,
       (select id from identity.provider_session where id = $10 and user_id = $6))
     on conflict (kind, id_hash) do update set payload_box = excluded.payload_box,
       grant_hash = excluded.grant_hash, uid_hash = excluded.uid_hash, user_id = excluded.user_id,
       expires_at = excluded.expires_at,
       sign_in_id = case when excluded.user_id is not distinct from provider_oidc_entry.user_id
         then coalesce(excluded.sign_in_id, provider_oidc_entry.sign_in_id)
         else excluded.sign_in_id end`,
    [
      entry.kind,
      entry.idHash,
      entry.payloadBox,
      entry.grantHash,
      entry.uidHash,
      entry.userId,
      entry.isPublic,
      at,
      entry.expiresAt,
      entry.signInId,
    ],
  );
}

/** Undefined when it, or the sign-in from which it came, is over, or never was. */
export async function findEntry(
  db: Queryable,
  key: { readonly kind: string; readonly by: 'id_hash' | 'uid_hash'; readonly hash: Buffer },
  now: Date,
): Promise<StoredOidcEntry | undefined> {
  const answer = await db.query<StoredOidcEntry>(
    `select ${COLUMNS} from identity.provider_oidc_entry
      where kind = $1 and ${key.by} = $2 and (expires_at is null or expires_at > $3)
        and (sign_in_id is null or exists (
          select from identity.provider_session p
           where p.id = sign_in_id and p.revoked_at is null and p.expires_at > $3))`,
    [key.kind, key.hash, now],
  );
  return answer.rows[0];
}

/** @returns false if another call was first */
export async function consumeEntry(
  db: Queryable,
  kind: string,
  idHash: Buffer,
  at: Date,
): Promise<boolean> {
  const answer = await db.query(
    `update identity.provider_oidc_entry set consumed_at = $3
      where kind = $1 and id_hash = $2 and consumed_at is null`,
    [kind, idHash, at],
  );
  return answer.rowCount === 1;
}

export async function deleteEntry(db: Queryable, kind: string, idHash: Buffer): Promise<void> {
  await db.query('delete from identity.provider_oidc_entry where kind = $1 and id_hash = $2', [
    kind,
    idHash,
  ]);
}

/** From now on it ends with this sign-in. */
export async function bindEntry(
  db: Queryable,
  { kind, idHash }: Pick<OidcEntry, 'kind' | 'idHash'>,
  signInId: string,
): Promise<void> {
  await db.query(
    `update identity.provider_oidc_entry set sign_in_id = $3 where kind = $1 and id_hash = $2`,
    [kind, idHash, signInId],
  );
}

/** Everything that came from one grant, of whatever kind. */
export async function deleteEntriesOfGrant(db: Queryable, grantHash: Buffer): Promise<void> {
  await db.query('delete from identity.provider_oidc_entry where grant_hash = $1', [grantHash]);
}

export async function deleteEndedEntries(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from identity.provider_oidc_entry where expires_at <= $1', [before]);
}
