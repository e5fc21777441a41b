import type { Directory } from '../accounts/directory.ts';
import type { CodePurpose, MessageChannel } from '../messenger.ts';
import type { Queryable } from '../database/in-transaction.ts';

/** `any`: requested without a purpose, and valid for all purposes of this subject. */
export type StoredPurpose = CodePurpose | 'any';

export interface StoredCode {
  readonly codeId: string;
  /** A code counts in its own directory alone. */
  readonly directory: Directory;
  /** For whom, as the directory names them. */
  readonly subject: string;
  readonly purpose: StoredPurpose;
  /** The user of the user pool with whom it goes. */
  readonly sub: string | null;
  readonly codeHash: Buffer;
  readonly channel: MessageChannel;
  readonly triesLeft: number;
  readonly sentAt: Date;
  readonly expiresAt: Date;
}

const COLUMNS = `code_id as "codeId", directory, subject, purpose, sub, code_hash as "codeHash", channel,
  tries_left as "triesLeft", sent_at as "sentAt", expires_at as "expiresAt"`;

/** A new code makes void, in the same statement, the older ones for its subject and purpose, and the one it replaces. */
export async function insertCode(
  db: Queryable,
  code: StoredCode,
  replaces?: string,
): Promise<void> {
  await db.query(
    `with void as (
       update identity.one_time_code set closed_at = $9
        where directory = $2 and closed_at is null and ((subject = $3 and purpose = $4) or code_id = $11))
     insert into identity.one_time_code
       (code_id, directory, subject, purpose, sub, code_hash, channel, tries_left, sent_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      code.codeId,
      code.directory,
      code.subject,
      code.purpose,
      code.sub,
      code.codeHash,
      code.channel,
      code.triesLeft,
      code.sentAt,
      code.expiresAt,
      replaces ?? null,
    ],
  );
}

/** Names one code. */
export type CodeName = Pick<StoredCode, 'directory' | 'codeId'>;

/** A code that can still be entered. */
export async function findOpenCode(
  db: Queryable,
  { directory, codeId }: CodeName,
  now: Date,
): Promise<StoredCode | undefined> {
  const answer = await db.query<StoredCode>(
    `select ${COLUMNS} from identity.one_time_code
      where directory = $1 and code_id = $2 and closed_at is null and tries_left > 0 and expires_at > $3`,
    [directory, codeId, now],
  );
  return answer.rows[0];
}

/** Whether all tries of a code were used, also of one that is void or too old. */
export async function areTriesUsedUp(
  db: Queryable,
  { directory, codeId }: CodeName,
): Promise<boolean> {
  const answer = await db.query(
    'select 1 from identity.one_time_code where directory = $1 and code_id = $2 and tries_left <= 0',
    [directory, codeId],
  );
  return answer.rowCount === 1;
}

/** Takes one try of a code that can still be entered: counted and read in one statement, so parallel guesses share none. */
export async function takeTryOfCode(
  db: Queryable,
  { directory, codeId }: CodeName,
  now: Date,
): Promise<StoredCode | undefined> {
  const answer = await db.query<StoredCode>(
    `update identity.one_time_code set tries_left = tries_left - 1
      where directory = $1 and code_id = $2 and closed_at is null and tries_left > 0 and expires_at > $3
      returning ${COLUMNS}`,
    [directory, codeId, now],
  );
  return answer.rows[0];
}

/**
 * Takes one try off every open code of a subject for these purposes; parallel tries all count. Newest first, with the
 * tries that were left before.
 */
export async function takeTryOfSubject(
  db: Queryable,
  where: Pick<StoredCode, 'directory' | 'subject'> & {
    readonly purposes: readonly StoredPurpose[];
  },
): Promise<StoredCode[]> {
  const answer = await db.query<StoredCode>(
    `update identity.one_time_code set tries_left = tries_left - 1
      where directory = $1 and subject = $2 and purpose = any($3) and closed_at is null
      returning ${COLUMNS}`,
    [where.directory, where.subject, where.purposes],
  );
  return answer.rows
    .map((code) => ({ ...code, triesLeft: code.triesLeft + 1 }))
    .toSorted((left, right) => right.sentAt.getTime() - left.sentAt.getTime());
}

/** @returns true for exactly one caller: a right code counts once */
export async function closeCode(
  db: Queryable,
  { directory, codeId }: CodeName,
  at: Date,
): Promise<boolean> {
  const answer = await db.query(
    `update identity.one_time_code set closed_at = $3
      where directory = $1 and code_id = $2 and closed_at is null`,
    [directory, codeId, at],
  );
  return answer.rowCount === 1;
}

/** Deletes codes of every directory that ended before that. */
export async function deleteEndedCodes(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from identity.one_time_code where expires_at < $1', [before]);
}
