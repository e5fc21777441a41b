import { eq, sql } from 'drizzle-orm';
import { findTokenCreators } from '../../api-tokens/data/token-creators.ts';
import { personNames } from '../../people/data/person-names.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { selectList, selectRows } from '../../platform/database/select-rows.ts';
import { portalUser } from './access-tables.ts';

const idList = selectList({ id: sql<(typeof portalUser.$inferSelect)['id']>`mine.id` });

/**
 * Whether a user is one of several users, or another account of the same person: both have the same email address,
 * phone number, or linked person's email or phone number. Email addresses are compared case-insensitively and without a
 * `+tag`, phone numbers by their digits.
 */
export const isSamePerson = async (
  executor: Executor,
  userId: string,
  others: readonly string[],
): Promise<boolean> => (await findSamePeople(executor, [userId], others)).includes(userId);

/**
 * Users that are one of several users, or another account of the same person: see `isSamePerson`. A service token counts
 * as the user who created it.
 */
export async function findSamePeople(
  executor: Executor,
  userIds: readonly string[],
  named: readonly string[],
): Promise<string[]> {
  if (userIds.length === 0 || named.length === 0) return [];
  const others = [...named, ...(await findTokenCreators(executor, named))];
  const same = userIds.filter((userId) => others.includes(userId));
  if (same.length === userIds.length) return same;
  const { id, username, email, phone } = portalUser;
  const account = sql`(${isAnyOf(id, userIds)} or ${isAnyOf(id, others)})`;
  const users = sql`any(${sql.param([...userIds])}::uuid[])`;
  const them = sql`any(${sql.param([...others])}::uuid[])`;
  const rows = await selectRows(
    executor,
    idList,
    (list) => sql`
    with known as (
      select ${id}, ${email}, ${phone} from ${portalUser} where ${account}
      union all select ${id}, ${username}, null from ${portalUser} where ${account} and ${username} like '%@%'
      union all select ${id}, ${personNames.email}, ${personNames.phone}
        from ${portalUser} join ${personNames} on ${eq(personNames.userId, id)} where ${account}),
    contact as (
      select id, regexp_replace(lower(trim(email)), '[+][^@]*@', '@') as value from known where trim(email) <> ''
      union
      select id, regexp_replace(regexp_replace(phone, '[^0-9]', '', 'g'), '^00', '') from known
      where length(regexp_replace(phone, '[^0-9]', '', 'g')) >= 5)
    select distinct ${list} from contact mine join contact theirs on theirs.value = mine.value
    where mine.id = ${users} and theirs.id = ${them}`,
  );
  return [...new Set([...same, ...rows.map((row) => row.id)])];
}
