import type { Queryable } from '../../store/in-transaction.ts';

/** One thing that the protocols keep; see the comments of its table. */
export interface OidcEntry {
  readonly kind: string;
  readonly idHash: Buffer;
  readonly payloadBox: Buffer;
  readonly grantHash: Buffer | null;
  readonly uidHash: Buffer | null;
  readonly userId: string | null;
  readonly isPublic: boolean;
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
       user_id, is_public, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (kind, id_hash) do update set payload_box = excluded.payload_box,
       grant_hash = excluded.grant_hash, uid_hash = excluded.uid_hash, user_id = excluded.user_id,
       expires_at = excluded.expires_at`,
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
    ],
  );
}

/** Undefined when it is over, or never was. */
export async function findEntry(
  db: Queryable,
  key: { readonly kind: string; readonly by: 'id_hash' | 'uid_hash'; readonly hash: Buffer },
  now: Date,
): Promise<StoredOidcEntry | undefined> {
  const answer = await db.query<StoredOidcEntry>(
    `select ${COLUMNS} from identity.provider_oidc_entry
      where kind = $1 and ${key.by} = $2 and (expires_at is null or expires_at > $3)`,
    [key.kind, key.hash, now],
  );
  return answer.rows[0];
}

/** @returns false when somebody else was first */
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

/** Everything that came from one grant, of whatever kind. */
export async function deleteEntriesOfGrant(db: Queryable, grantHash: Buffer): Promise<void> {
  await db.query('delete from identity.provider_oidc_entry where grant_hash = $1', [grantHash]);
}

export async function deleteEndedEntries(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from identity.provider_oidc_entry where expires_at <= $1', [before]);
}
