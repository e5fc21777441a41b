import { sql } from 'drizzle-orm';
import type { Executor } from '../platform/database/database.ts';

/**
 * Whether a user is one of others, or the same human under another account as far as the portal knows: an email, a
 * phone number or a linked person's email or phone that both have. Email addresses are compared without case and
 * without a `+tag`, phone numbers by their digits.
 */
export const isSamePerson = async (
  executor: Executor,
  userId: string,
  others: readonly string[],
): Promise<boolean> => (await findSamePeople(executor, [userId], others)).includes(userId);

/** Which users are one of others, or the same human under another account: see `isSamePerson`. */
export async function findSamePeople(
  executor: Executor,
  userIds: readonly string[],
  others: readonly string[],
): Promise<string[]> {
  if (userIds.length === 0 || others.length === 0) return [];
  const same = userIds.filter((id) => others.includes(id));
  if (same.length === userIds.length) return same;
  const users = sql`${sql.param([...userIds])}::uuid[]`;
  const them = sql`${sql.param([...others])}::uuid[]`;
  const { rows } = await executor.execute<{ id: string }>(sql`
    with account as (
      select u.id, u.email, u.phone, u.username from portal_user u
      where u.id = any(${users}) or u.id = any(${them})),
    known as (
      select id, email, phone from account
      union all select id, username, null from account where username like '%@%'
      union all select a.id, p.email, p.phone from account a join person p on p.user_id = a.id),
    contact as (
      select id, regexp_replace(lower(trim(email)), '[+][^@]*@', '@') as value from known where trim(email) <> ''
      union
      select id, regexp_replace(regexp_replace(phone, '[^0-9]', '', 'g'), '^00', '') from known
      where length(regexp_replace(phone, '[^0-9]', '', 'g')) >= 5)
    select distinct mine.id from contact mine join contact theirs on theirs.value = mine.value
    where mine.id = any(${users}) and theirs.id = any(${them})`);
  return [...new Set([...same, ...rows.map(({ id }) => id)])];
}
