import type { Queryable } from '../database/in-transaction.ts';

/** Replaces all codes of an owner. */
export async function replaceRecoveryCodes(
  db: Queryable,
  ownerId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await db.query('delete from identity.passkey_recovery_code where owner_id = $1', [ownerId]);
  await db.query(
    `insert into identity.passkey_recovery_code (owner_id, code_hash)
     select $1, hash from unnest($2::bytea[]) as given (hash)`,
    [ownerId, hashes],
  );
}

/** Uses a code up; of concurrent uses, one succeeds. */
export async function takeOneRecoveryCode(
  db: Queryable,
  { ownerId, hash, at }: { readonly ownerId: string; readonly hash: Buffer; readonly at: Date },
): Promise<boolean> {
  const answer = await db.query(
    `update identity.passkey_recovery_code set used_at = $3
      where owner_id = $1 and code_hash = $2 and used_at is null`,
    [ownerId, hash, at],
  );
  return answer.rowCount === 1;
}

/** The number of unused codes. */
export async function countRecoveryCodes(db: Queryable, ownerId: string): Promise<number> {
  const answer = await db.query<{ left: number }>(
    `select count(*)::int4 as left from identity.passkey_recovery_code
      where owner_id = $1 and used_at is null`,
    [ownerId],
  );
  return answer.rows[0]?.left ?? 0;
}
