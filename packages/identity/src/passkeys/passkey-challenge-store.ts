import type { Queryable } from '../database/in-transaction.ts';

export interface StoredPasskeyChallenge {
  readonly hash: Buffer;
  /** Null for a sign-in that begins without a name. */
  readonly ownerId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertPasskeyChallenge(
  db: Queryable,
  challenge: StoredPasskeyChallenge,
): Promise<void> {
  await db.query(
    `insert into identity.passkey_challenge (challenge_hash, owner_id, created_at, expires_at)
     values ($1, $2, $3, $4)`,
    [challenge.hash, challenge.ownerId, challenge.createdAt, challenge.expiresAt],
  );
}

/** Uses a challenge up; of concurrent uses, one succeeds. */
export async function takePasskeyChallenge(
  db: Queryable,
  hash: Buffer,
  now: Date,
): Promise<boolean> {
  const answer = await db.query(
    'delete from identity.passkey_challenge where challenge_hash = $1 and expires_at > $2',
    [hash, now],
  );
  return answer.rowCount === 1;
}

/** Leaves the newest challenges of an owner. */
export async function trimPasskeyChallenges(
  db: Queryable,
  ownerId: string,
  most: number,
): Promise<void> {
  await db.query(
    `delete from identity.passkey_challenge where challenge_hash in (
       select challenge_hash from identity.passkey_challenge
        where owner_id = $1 order by created_at desc, challenge_hash offset $2)`,
    [ownerId, most],
  );
}
