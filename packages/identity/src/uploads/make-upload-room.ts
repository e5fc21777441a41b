import type { Queryable } from '../database/in-transaction.ts';
import type { UploadLimits } from './upload-limits.ts';
import { isUnworn } from './upload-store.ts';

export interface WantedRoom {
  readonly bytes: number;
  readonly addressHash: Buffer;
  readonly now: Date;
  /** URL prefix of the IDs of pictures used as avatars. */
  readonly avatarUrl: string;
}

/** Share of the space that is freed at once. */
const SHARE_MADE_FREE = 0.1;

/**
 * Whether a picture can be stored; the oldest unused ones are deleted for it. Call only in the
 * transaction that adds it, which excludes concurrent additions.
 */
export async function makeUploadRoom(
  db: Queryable,
  wanted: WantedRoom,
  limits: UploadLimits,
): Promise<boolean> {
  await db.query(`select pg_advisory_xact_lock(hashtext('provider uploads'))`);
  const bytes = Math.max(wanted.bytes, limits.leastBytes);
  const ofAddress = await db.query<{ bytes: number }>(
    `select coalesce(sum(greatest(size_bytes, $2)), 0)::float8 as bytes from identity.provider_upload u
      where address_hash = $1 and expires_at >= $3 and ${isUnworn('$4')}`,
    [wanted.addressHash, limits.leastBytes, wanted.now, wanted.avatarUrl],
  );
  if ((ofAddress.rows[0]?.bytes ?? 0) + bytes > limits.addressBytes) return false;
  const missing = (await heldBytes(db, wanted, limits)) + bytes - limits.bytes;
  if (missing <= 0) return true;
  await deleteOldest(db, wanted, { ...limits, bytes: missing + limits.bytes * SHARE_MADE_FREE });
  return (await heldBytes(db, wanted, limits)) + bytes <= limits.bytes;
}

async function heldBytes(
  db: Queryable,
  { now }: WantedRoom,
  { leastBytes }: UploadLimits,
): Promise<number> {
  const answer = await db.query<{ bytes: number }>(
    `select coalesce(sum(greatest(size_bytes, $1)), 0)::float8 as bytes
       from identity.provider_upload where expires_at >= $2`,
    [leastBytes, now],
  );
  return answer.rows[0]?.bytes ?? 0;
}

async function deleteOldest(
  db: Queryable,
  { now, avatarUrl }: WantedRoom,
  { bytes, leastBytes, safeMs }: UploadLimits,
): Promise<void> {
  await db.query(
    `delete from identity.provider_upload where id in (
       select id from (
         select id, sum(greatest(size_bytes, $1)) over (order by created_at, id)
                      - greatest(size_bytes, $1) as before
           from identity.provider_upload u
          where complete and expires_at >= $2 and created_at < $3 and ${isUnworn('$4')}
       ) as oldest where before < $5)`,
    [leastBytes, now, new Date(now.getTime() - safeMs), avatarUrl, bytes],
  );
}
