import type { Queryable } from '../database/in-transaction.ts';

/** Locks accounts, always in the same order. @returns how many of them may sign in now */
export async function lockActiveUsers(db: Queryable, ids: readonly string[]): Promise<number> {
  const answer = await db.query<{ active: boolean }>(
    `select status = 'Activated' and not blocked as active
       from identity.provider_user where id = any ($1) order by id for update`,
    [[...ids]],
  );
  return answer.rows.filter(({ active }) => active).length;
}

/** @returns how many accounts elsewhere changed hands */
export async function moveIdentities(
  db: Queryable,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<number> {
  const answer = await db.query(
    'update identity.provider_identity set user_id = $2 where user_id = $1',
    [from, to],
  );
  return answer.rowCount ?? 0;
}

export async function hasIdentityOfSameConnection(
  db: Queryable,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const answer = await db.query(
    `select from identity.provider_identity one join identity.provider_identity other
         on other.user_id = $2 and other.connection_id = one.connection_id
      where one.user_id = $1 limit 1`,
    [from, to],
  );
  return answer.rowCount === 1;
}

/** @returns how many there were */
export async function deleteIdentities(
  db: Queryable,
  userId: string,
  provider: string,
): Promise<number> {
  const answer = await db.query(
    `delete from identity.provider_identity
      where user_id = $1 and (provider = $2 or connection_id = $2)`,
    [userId, provider],
  );
  return answer.rowCount ?? 0;
}

export async function countIdentities(db: Queryable, userId: string): Promise<number> {
  const answer = await db.query<{ count: number }>(
    'select count(*)::int as count from identity.provider_identity where user_id = $1',
    [userId],
  );
  return answer.rows[0]?.count ?? 0;
}
