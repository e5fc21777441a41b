import type { Queryable } from '../database/in-transaction.ts';

/**
 * The user's current role codes in the namespace `default`, while this session is active.
 * @returns undefined if it has ended, or the account cannot sign in
 */
export async function findRolesOfOpenSignIn(
  db: Queryable,
  sessionId: string,
  now: Date,
): Promise<readonly string[] | undefined> {
  const { rows } = await db.query<{ codes: string[] }>(
    `select array(
         select r.code from identity.provider_role_member m
           join identity.provider_role r on r.id = m.role_id
          where m.user_id = u.id and r.namespace = 'default' order by r.code) as codes
       from identity.provider_session s join identity.provider_user u on u.id = s.user_id
      where s.id = $1 and s.revoked_at is null and s.expires_at > $2
        and u.status = 'Activated' and not u.blocked`,
    [sessionId, now],
  );
  return rows[0]?.codes;
}

/** Of these sessions, the active ones whose users can sign in. */
export async function findOpenProviderSessions(
  db: Queryable,
  sessionIds: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (sessionIds.length === 0) return new Set();
  const { rows } = await db.query<{ id: string }>(
    `select s.id from identity.provider_session s join identity.provider_user u on u.id = s.user_id
      where s.id = any($1::text[]) and s.revoked_at is null and s.expires_at > $2
        and u.status = 'Activated' and not u.blocked`,
    [sessionIds, now],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The user's current role codes in the namespace `default`. */
export async function findRolesOf(db: Queryable, userId: string): Promise<readonly string[]> {
  const { rows } = await db.query<{ code: string }>(
    `select r.code from identity.provider_role_member m
       join identity.provider_role r on r.id = m.role_id
      where m.user_id = $1 and r.namespace = 'default' order by r.code`,
    [userId],
  );
  return rows.map(({ code }) => code);
}

/** Role codes of the namespace `default` for all users with roles, by user ID. */
export async function listRolesBySubject(
  db: Queryable,
  userPoolId: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await db.query<{ userId: string; codes: string[] }>(
    `select m.user_id as "userId", array_agg(r.code order by r.code) as codes
       from identity.provider_role_member m
       join identity.provider_role r on r.id = m.role_id
      where r.user_pool_id = $1 and r.namespace = 'default' group by m.user_id`,
    [userPoolId],
  );
  return new Map(rows.map(({ userId, codes }) => [userId, codes]));
}
