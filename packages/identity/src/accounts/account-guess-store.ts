import type { Queryable } from '../database/in-transaction.ts';

/** The account is locked since `lockedAt`, after this number of incorrect guesses. */
export interface AccountLock {
  readonly wrong: number;
  readonly lockedAt: Date;
}

/**
 * Counts one guess in one statement that always writes: of concurrent guesses, exactly `most` are
 * open, and a locked account takes the same time as an open one.
 * @returns the current state; the guess is open unless it was rejected
 */
export async function countGuess(
  db: Queryable,
  subject: string,
  { at, most }: { readonly at: Date; readonly most: number },
): Promise<{ readonly wrong: number; readonly refused: number }> {
  const answer = await db.query<{ wrong: number; refused: number }>(
    `insert into identity.account_guess as g (subject, wrong, last_at) values ($1, 1, $2)
     on conflict (subject) do update set
       wrong = case when g.wrong >= $3 then g.wrong else g.wrong + 1 end,
       refused = case when g.wrong >= $3 then least(g.refused, 1000000) + 1 else 0 end,
       locked_at = case when g.wrong + 1 >= $3 then coalesce(g.locked_at, $2) end,
       last_at = $2
     returning wrong, refused`,
    [subject, at, most],
  );
  return answer.rows[0] ?? { wrong: 0, refused: 0 };
}

/** Removes a correct guess from the count. */
export async function uncountGuess(db: Queryable, subject: string): Promise<void> {
  await db.query(
    `update identity.account_guess set wrong = wrong - 1, refused = 0, locked_at = null
      where subject = $1 and wrong > 0`,
    [subject],
  );
}

/** Resets the count. */
export async function deleteGuesses(db: Queryable, subject: string): Promise<void> {
  await db.query('delete from identity.account_guess where subject = $1', [subject]);
}

/** Unlocks an account and resets its count. @returns the removed lock; undefined if the account was not locked */
export async function deleteLock(db: Queryable, subject: string): Promise<AccountLock | undefined> {
  const answer = await db.query<AccountLock>(
    `delete from identity.account_guess where subject = $1 and locked_at is not null
     returning wrong, locked_at as "lockedAt"`,
    [subject],
  );
  return answer.rows[0];
}

/** The locks of the given accounts, by account. */
export async function findLocks(
  db: Queryable,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, AccountLock>> {
  const answer = await db.query<AccountLock & { subject: string }>(
    `select subject, wrong, locked_at as "lockedAt" from identity.account_guess
      where subject = any($1) and locked_at is not null`,
    [subjects],
  );
  return new Map(answer.rows.map(({ subject, ...lock }) => [subject, lock]));
}
