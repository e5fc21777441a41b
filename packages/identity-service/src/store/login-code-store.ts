import type { MessageChannel } from '../messenger.ts';
import type { Queryable } from './in-transaction.ts';

export interface LoginCode {
  readonly codeId: string;
  /** Null for a code that nobody received: the pool hides who exists. */
  readonly sub: string | null;
  /** Whose newer code, asked for at which place, makes this one void. */
  readonly subjectHash: Buffer;
  readonly codeHash: Buffer;
  readonly channel: MessageChannel;
  readonly triesLeft: number;
  readonly sentAt: Date;
  readonly expiresAt: Date;
}

const COLUMNS = `code_id as "codeId", sub, subject_hash as "subjectHash", code_hash as "codeHash", channel, tries_left as "triesLeft",
  sent_at as "sentAt", expires_at as "expiresAt"`;

/** A new code makes the older ones of the same subject void, and the one it replaces, in the same statement. */
export async function insertLoginCode(
  db: Queryable,
  code: LoginCode,
  replaces?: string,
): Promise<void> {
  await db.query(
    `with void as (
       update identity.login_code set closed_at = $6
        where (subject_hash = $8 or code_id = $9::uuid) and closed_at is null)
     insert into identity.login_code
       (code_id, sub, code_hash, channel, tries_left, sent_at, expires_at, subject_hash)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      code.codeId,
      code.sub,
      code.codeHash,
      code.channel,
      code.triesLeft,
      code.sentAt,
      code.expiresAt,
      code.subjectHash,
      replaces ?? null,
    ],
  );
}

/** A code that can still be answered. */
export async function findOpenLoginCode(
  db: Queryable,
  codeId: string,
  now: Date,
): Promise<LoginCode | undefined> {
  const answer = await db.query<LoginCode>(
    `select ${COLUMNS} from identity.login_code
      where code_id = $1 and closed_at is null and tries_left > 0 and expires_at > $2`,
    [codeId, now],
  );
  return answer.rows[0];
}

/** Whether all tries of a code were used, also of one that is void or too old. */
export async function areTriesUsedUp(db: Queryable, codeId: string): Promise<boolean> {
  const answer = await db.query(
    'select 1 from identity.login_code where code_id = $1 and tries_left <= 0',
    [codeId],
  );
  return answer.rowCount === 1;
}

/** Takes one try; the last one closes the code. Counting and reading are one statement: parallel guesses cannot share a try. */
export async function takeLoginCodeTry(
  db: Queryable,
  codeId: string,
  now: Date,
): Promise<LoginCode | undefined> {
  const answer = await db.query<LoginCode>(
    `update identity.login_code set tries_left = tries_left - 1
      where code_id = $1 and closed_at is null and tries_left > 0 and expires_at > $2
      returning ${COLUMNS}`,
    [codeId, now],
  );
  return answer.rows[0];
}

/** @returns true for exactly one caller: a right code opens one session */
export async function closeLoginCode(db: Queryable, codeId: string, now: Date): Promise<boolean> {
  const answer = await db.query(
    'update identity.login_code set closed_at = $2 where code_id = $1 and closed_at is null',
    [codeId, now],
  );
  return answer.rowCount === 1;
}
