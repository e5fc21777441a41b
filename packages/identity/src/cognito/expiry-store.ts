import { deleteEndedCodes } from '../codes/code-store.ts';
import { forgetPlaces } from './user-pool/familiar-place-store.ts';
import type { Queryable } from '../database/in-transaction.ts';

const TABLES = [
  ...['auth_session', 'refresh_token', 'revoked_origin', 'temporary_credential'],
  'passkey_challenge',
] as const;

/**
 * Deletes what expired before `before`, guests without a login that were not used since
 * `guestsBefore`, and places without a sign-in since `placesBefore`.
 */
export async function deleteExpired(
  db: Queryable,
  times: {
    readonly before: Date;
    readonly guestsBefore: Date;
    readonly placesBefore: Date;
  },
): Promise<void> {
  for (const table of TABLES) {
    await db.query(`delete from identity.${table} where expires_at < $1`, [times.before]);
  }
  await deleteEndedCodes(db, times.before);
  await forgetPlaces(db, times.placesBefore);
  await db.query('delete from identity.rate_limit where window_ends_at < $1', [times.before]);
  await db.query(
    `delete from identity.identity i where i.used_at < $1
       and not exists (select 1 from identity.identity_login l where l.identity_id = i.identity_id)`,
    [times.guestsBefore],
  );
}
