import type { Queryable } from '../database/in-transaction.ts';

/** A sign-in of a user. */
export interface SignIn {
  readonly sub: string;
  /** ID of the sign-in from which tokens and credentials come. */
  readonly originJti: string;
}

/**
 * The user's current groups for an active session: it has a refresh token that is neither revoked
 * nor expired, and its user can sign in. Undefined otherwise.
 */
export async function findGroupsOfOpenSignIn(
  db: Queryable,
  originJti: string,
  now: Date,
): Promise<readonly string[] | undefined> {
  const answer = await db.query<{ groups: string[] }>(
    `select array(select m.group_name from identity.group_membership m where m.sub = u.sub) as groups
       from identity.refresh_token t join identity.pool_user u on u.sub = t.sub
      where t.origin_jti = $1 and t.revoked_at is null and t.expires_at > $2 and u.enabled limit 1`,
    [originJti, now],
  );
  return answer.rows[0]?.groups;
}

/**
 * The given sign-ins that are still active: not signed out, and with an enabled user.
 * @returns the user's current groups by `originJti`
 */
export async function findSignInsInForce(
  db: Queryable,
  signIns: readonly SignIn[],
): Promise<Map<string, readonly string[]>> {
  if (signIns.length === 0) return new Map();
  const answer = await db.query<{ originJti: string; groups: string[] }>(
    `select asked."originJti",
            array(select g.name from identity.group_membership m
                    join identity.user_group g on g.name = m.group_name
                   where m.sub = u.sub order by g.precedence nulls last, g.name) as groups
       from jsonb_to_recordset($1::jsonb) as asked(sub uuid, "originJti" uuid)
       join identity.pool_user u on u.sub = asked.sub and u.enabled
      where not exists (select from identity.revoked_origin r where r.origin_jti = asked."originJti")`,
    [JSON.stringify(signIns)],
  );
  return new Map(answer.rows.map(({ originJti, groups }) => [originJti, groups]));
}
