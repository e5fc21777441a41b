import { sql } from 'drizzle-orm';
import type { Executor } from '../platform/database/database.ts';

/**
 * Whether a user is one of others, or the same human under another account as far as the portal knows: an email, a
 * phone number or a linked person's email or phone that both have. Email addresses are compared without case and
 * without a `+tag`, phone numbers by their digits.
 */
export async function isSamePerson(
  executor: Executor,
  userId: string,
  others: readonly string[],
): Promise<boolean> {
  if (others.includes(userId)) return true;
  if (others.length === 0) return false;
  const { rows } = await executor.execute(sql`
    with account as (
      select u.id, u.email, u.phone, u.username from portal_user u
      where u.id = ${userId}::uuid or u.id = any(${sql.param([...others])}::uuid[])),
    known as (
      select id, email, phone from account
      union all select id, username, null from account where username like '%@%'
      union all select a.id, p.email, p.phone from account a join person p on p.user_id = a.id),
    contact as (
      select id, regexp_replace(lower(trim(email)), '[+][^@]*@', '@') as value from known where trim(email) <> ''
      union
      select id, regexp_replace(regexp_replace(phone, '[^0-9]', '', 'g'), '^00', '') from known
      where length(regexp_replace(phone, '[^0-9]', '', 'g')) >= 5)
    select exists (select 1 from contact mine join contact theirs on theirs.value = mine.value
                   where mine.id = ${userId}::uuid and theirs.id <> mine.id) as same`);
  return (rows[0] as { same: boolean }).same;
}
