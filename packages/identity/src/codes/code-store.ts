import type { Directory } from '../accounts/directory.ts';
import type { CodePurpose, MessageChannel } from '../messenger.ts';
import type { Queryable } from '../database/in-transaction.ts';

/** `any`: requested without a purpose, and valid for all purposes of this subject. */
export type StoredPurpose = CodePurpose | 'any';

export interface StoredCode {
  readonly codeId: string;
  /** A code is valid only in its directory. */
  readonly directory: Directory;
  /** ID or contact of the recipient, depending on the directory. */
  readonly subject: string;
  readonly purpose: StoredPurpose;
  /** The user-pool user it belongs to; null otherwise. */
  readonly sub: string | null;
  readonly codeHash: Buffer;
  readonly channel: MessageChannel;
  readonly triesLeft: number;
  readonly sentAt: Date;
  readonly expiresAt: Date;
}

const COLUMNS = `code_id as "codeId", directory, subject, purpose, sub, code_hash as "codeHash", channel,
  tries_left as "triesLeft", sent_at as "sentAt", expires_at as "expiresAt"`;

/**
 * Inserts a code; invalidates older codes for the same subject and purpose, and the one it replaces, in the same
 * statement.
 */
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

/** Identifies a code. */
export type CodeName = Pick<StoredCode, 'directory' | 'codeId'>;

/** Finds a code that is neither closed nor expired, and has tries left. */
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

/** Whether all tries of a code are used up, even if it is invalidated or expired. */
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

/** Uses one try of an open code. One statement counts and reads, so that concurrent guesses never share a try. */
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
 * Uses one try of every open code of a subject for these purposes; concurrent tries are all counted.
 * @returns the codes, newest first, with the tries that were left before
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

/** A correct code can be used once. @returns true for exactly one caller */
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

/** Deletes codes of all directories that expired before this time. */
export async function deleteEndedCodes(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from identity.one_time_code where expires_at < $1', [before]);
}
