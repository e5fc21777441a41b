import type { Queryable } from '../database/in-transaction.ts';

/** Addresses that an account has verified; null for an address that is missing or not verified. */
export interface VerifiedContacts {
  readonly email: string | null;
  /** E.164. */
  readonly phone: string | null;
}

/** @returns undefined if no directory here has the account */
export async function findVerifiedContacts(
  db: Queryable,
  accountId: string,
): Promise<VerifiedContacts | undefined> {
  const answer = await db.query<VerifiedContacts>(
    `select case when email_verified then email end as email,
            case when phone_number_verified then phone_number end as phone
       from identity.account where account_id = $1`,
    [accountId],
  );
  return answer.rows[0];
}
