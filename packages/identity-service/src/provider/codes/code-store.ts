import type { MessageChannel } from '../../messenger.ts';
import type { Queryable } from '../../store/in-transaction.ts';

export interface StoredCode {
  readonly id: string;
  readonly userPoolId: string;
  readonly channel: MessageChannel;
  readonly recipient: string;
  readonly purpose: string;
  readonly codeHash: Buffer;
  readonly triesLeft: number;
  readonly sentAt: Date;
  readonly expiresAt: Date;
}

/** Keeps a code in place of older ones of the same recipient and purpose. */
export async function insertCode(db: Queryable, code: StoredCode): Promise<void> {
  await db.query(
    `with closed as (
       update identity.provider_code set closed_at = $8
        where user_pool_id = $2 and recipient = $4 and purpose = $5 and closed_at is null)
     insert into identity.provider_code
       (id, user_pool_id, channel, recipient, purpose, code_hash, tries_left, sent_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      code.id,
      code.userPoolId,
      code.channel,
      code.recipient,
      code.purpose,
      code.codeHash,
      code.triesLeft,
      code.sentAt,
      code.expiresAt,
    ],
  );
}

export type TriedCode = Pick<StoredCode, 'id' | 'codeHash' | 'triesLeft' | 'expiresAt'>;

/**
 * Takes one try off every open code of a recipient for these purposes; parallel tries all count. Newest first, with
 * the tries that were left before.
 */
export async function takeTry(
  db: Queryable,
  where: {
    readonly userPoolId: string;
    readonly recipient: string;
    readonly purposes: readonly string[];
  },
): Promise<TriedCode[]> {
  const answer = await db.query<TriedCode & { sentAt: Date }>(
    `update identity.provider_code set tries_left = tries_left - 1
      where user_pool_id = $1 and recipient = $2 and purpose = any($3) and closed_at is null
      returning id, code_hash as "codeHash", tries_left + 1 as "triesLeft",
                expires_at as "expiresAt", sent_at as "sentAt"`,
    [where.userPoolId, where.recipient, where.purposes],
  );
  return answer.rows.toSorted((left, right) => right.sentAt.getTime() - left.sentAt.getTime());
}

/** @returns false when somebody else has used it already */
export async function closeCode(db: Queryable, id: string, at: Date): Promise<boolean> {
  const answer = await db.query(
    'update identity.provider_code set closed_at = $2 where id = $1 and closed_at is null',
    [id, at],
  );
  return answer.rowCount === 1;
}
