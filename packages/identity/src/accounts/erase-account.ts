import type { Queryable } from '../database/in-transaction.ts';

/**
 * Deletes an account of any directory with all dependent data: subaccounts, sign-ins, passwords, second factors, passkeys,
 * faces, devices, custom values, and the profile picture. Runs in the caller's transaction.
 * @param contacts email addresses and phone numbers to which codes can have been sent
 * @returns false if the account does not exist
 */
export async function eraseAccount(
  db: Queryable,
  accountId: string,
  contacts: readonly string[],
): Promise<boolean> {
  await db.query('delete from identity.one_time_code where subject = any($1)', [[...contacts]]);
  await db.query(
    `delete from identity.identity where identity_id in (
       select identity_id from identity.identity_login where subject = $1)`,
    [accountId],
  );
  await db.query(
    `delete from identity.provider_upload u using identity.provider_user p
      where (p.id = $1 or p.parent_user_id = $1) and p.profile ->> 'photo' like '%/' || u.id`,
    [accountId],
  );
  await db.query('delete from identity.passkey_owner where owner_id = $1', [accountId]);
  await db.query('delete from identity.refresh_token where sub::text = $1', [accountId]);
  const own = 'select $1 union select id from identity.provider_user where parent_user_id = $1';
  await db.query(
    `delete from identity.provider_custom_value where target_type = 'USER' and target_id in (${own})`,
    [accountId],
  );
  await db.query(
    `delete from identity.provider_grant where principal_type = 'USER' and principal_id in (${own})`,
    [accountId],
  );
  const answer = await db.query(
    `delete from identity.account where account_id = $1
       or account_id in (select id from identity.provider_user where parent_user_id = $1)`,
    [accountId],
  );
  return (answer.rowCount ?? 0) > 0;
}
