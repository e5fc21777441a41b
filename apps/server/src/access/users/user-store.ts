import { sql } from 'drizzle-orm';
import { ADMINISTRATOR, type Grant } from '@deviceportal/contract/permissions';
import type { UserStatus } from '@deviceportal/contract/states';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isoOrNull } from '../../platform/moment-cursor.ts';
import type { TemporaryGrant } from '../../platform/viewer.ts';

export interface StoredUser {
  readonly id: string;
  readonly subject: string;
  readonly username: string;
  readonly email: string | null;
  readonly name: string;
  readonly status: UserStatus;
  readonly roles: readonly string[];
  readonly grants: readonly Grant[];
  /** Beside them: roles that they hold for a time, by what ends first. */
  readonly lent: readonly TemporaryGrant[];
  readonly preferences: Readonly<Record<string, unknown>>;
  /** What the user pool said at their last call. */
  readonly inAdminGroup: boolean;
  /** An administrator let them in. */
  readonly isAdmitted: boolean;
  readonly lastSignInAt: Date | null;
}

export interface UserFacts {
  readonly subject: string;
  readonly username: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string;
}

/** The user with roles and grants in one statement; undefined where the subject was never seen. */
export async function findUserBySubject(
  executor: Executor,
  subject: string,
): Promise<StoredUser | undefined> {
  const { rows } = await executor.execute<Record<string, never>>(sql`
    select u.id, u.subject, u.username, u.email, u.name, u.status, u.preferences,
           u.in_admin_group as "inAdminGroup", u.admitted_at is not null as "isAdmitted", u.last_sign_in_at as "lastSignInAt",
           coalesce(jsonb_agg(r.name order by r.name) filter (where r.id is not null), '[]') as roles,
           coalesce(jsonb_agg(jsonb_build_object('permissions', r.permissions, 'scope', r.scope))
             filter (where r.id is not null), '[]') as grants,
           (select coalesce(jsonb_agg(jsonb_build_object('elevationId', h.elevation_id, 'name', h.name,
              'permissions', h.permissions, 'scope', h.scope, 'until', h.until) order by h.until), '[]')
            from held_grant h where h.user_id = u.id and h.elevation_id is not null) as lent
    from portal_user u
    left join user_role ur on ur.user_id = u.id
    left join role r on r.id = ur.role_id
    where u.subject = ${subject}
    group by u.id`);
  const row = rows[0] as unknown as (StoredUser & { lastSignInAt: string | null }) | undefined;
  return row && { ...row, lastSignInAt: row.lastSignInAt ? new Date(row.lastSignInAt) : null };
}

/** The portal's id of whoever signs in under this subject, or else this user name, address or number. */
export async function findUserIdOf(
  executor: Executor,
  who: { readonly subject: string | undefined; readonly identifier: string | undefined },
): Promise<string | undefined> {
  const identifier = who.identifier?.trim() ?? '';
  const { rows } = await executor.execute<{ id: string }>(sql`
    select id from portal_user
    where subject = ${who.subject ?? null}
       or (${who.subject === undefined} and (lower(username) = lower(${identifier})
           or lower(email) = lower(${identifier}) or phone = ${identifier}))
    limit 1`);
  return rows[0]?.id;
}

/** One of these addresses that belongs to somebody who may use the portal. */
export async function findActivated(
  executor: Executor,
  emails: readonly string[],
): Promise<string | undefined> {
  const { rows } = await executor.execute<{ email: string }>(sql`
    select email from portal_user
    where status = 'Activated' and lower(email) = any(${sql.param(emails)}::text[])
    order by email limit 1`);
  return rows[0]?.email;
}

/** What a user holds permanently; undefined for a user who is not admitted. */
export async function findLastingGrants(
  executor: Executor,
  userId: string,
): Promise<readonly Grant[] | undefined> {
  const { rows } = await executor.execute<{ grants: Grant[] }>(sql`
    select coalesce(jsonb_agg(jsonb_build_object('permissions', r.permissions, 'scope', r.scope))
      filter (where r.id is not null), '[]') as grants
    from portal_user u
    left join role r on exists (select from user_role ur where ur.user_id = u.id and ur.role_id = r.id)
      or (u.in_admin_group and r.builtin and r.name = ${ADMINISTRATOR})
    where u.id::text = ${userId} and u.status = 'Activated'
    group by u.id`);
  return rows[0]?.grants;
}

/** What each of many users may do, all in one statement; who is not activated is absent. */
export async function findGrantsOfSubjects(
  executor: Executor,
  subjects: readonly string[],
): Promise<Map<string, readonly Grant[]>> {
  const { rows } = await executor.execute<{ subject: string; grants: Grant[] }>(sql`
    select u.subject,
           coalesce(jsonb_agg(jsonb_build_object('permissions', h.permissions, 'scope', h.scope)
             order by h.role_id, h.elevation_id) filter (where h.role_id is not null), '[]') as grants
    from portal_user u
    left join held_grant h on h.user_id = u.id
    where u.status = 'Activated'
      and u.subject in (select jsonb_array_elements_text(${JSON.stringify(subjects)}::jsonb))
    group by u.id`);
  return new Map(rows.map(({ subject, grants }) => [subject, grants]));
}

export async function findRoleGrant(executor: Executor, name: string): Promise<Grant | undefined> {
  const { rows } = await executor.execute<{ permissions: never; scope: never }>(
    sql`select permissions, scope from role where lower(name) = lower(${name})`,
  );
  return rows[0];
}

/** Puts a user of the user pool on record or brings their facts up to date. Answers the portal's own id. */
export async function upsertUser(
  executor: Executor,
  id: string,
  facts: UserFacts,
): Promise<string> {
  const { rows } = await executor.execute<{ id: string }>(sql`
    insert into portal_user (id, subject, username, email, phone, name)
    values (${id}, ${facts.subject}, ${facts.username}, ${facts.email}, ${facts.phone}, ${facts.name})
    on conflict (subject) do update
      set username = excluded.username, email = excluded.email, phone = excluded.phone, name = excluded.name
    returning id`);
  const stored = rows[0];
  if (!stored) throw new Error('a user was neither inserted nor updated');
  return stored.id;
}

export async function grantRole(executor: Executor, userId: string, role: string): Promise<void> {
  await executor.execute(sql`
    insert into user_role (user_id, role_id)
    select ${userId}::uuid, id from role where lower(name) = lower(${role})
    on conflict do nothing`);
  await executor.execute(
    sql`update portal_user set admitted_at = coalesce(admitted_at, portal_now()) where id = ${userId}`,
  );
}

/** True for the one call that sees this sign-in first. */
export async function markSignIn(executor: Executor, userId: string, at: Date): Promise<boolean> {
  const { rowCount } = await executor.execute(sql`
    update portal_user set last_sign_in_at = ${at.toISOString()}
    where id = ${userId} and (last_sign_in_at is null or last_sign_in_at < ${at.toISOString()})`);
  return (rowCount ?? 0) > 0;
}

/** Whether the user pool counts them among its administrators, as it said a moment ago. */
export async function setInAdminGroup(
  executor: Executor,
  userId: string,
  isIn: boolean,
): Promise<void> {
  await executor.execute(sql`update portal_user set in_admin_group = ${isIn} where id = ${userId}`);
}

export interface ChangedPreference {
  readonly key: string;
  /** Null where it was never set. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Lays these over those on record, and answers what has become another by that. */
export async function savePreferences(
  tx: Transaction,
  userId: string,
  preferences: Readonly<Record<string, unknown>>,
): Promise<ChangedPreference[]> {
  const given = sql`${JSON.stringify(preferences)}::jsonb`;
  const { rows } = await tx.execute(sql`
    with old as materialized (select id, preferences from portal_user where id = ${userId} for update),
    changed as materialized (
      select given.key, old.preferences -> given.key as before, given.value as after
      from old, jsonb_each(${given}) given where old.preferences -> given.key is distinct from given.value),
    written as (
      update portal_user u set preferences = u.preferences || ${given}
      from old where u.id = old.id and exists (select from changed))
    select key, before, after from changed order by key`);
  return rows as unknown as ChangedPreference[];
}

export async function findNameAndPreferences(
  executor: Executor,
  subject: string,
): Promise<Pick<StoredUser, 'username' | 'preferences'> | undefined> {
  const { rows } = await executor.execute<Record<string, never>>(
    sql`select username, preferences from portal_user where subject = ${subject}`,
  );
  return rows[0] as unknown as Pick<StoredUser, 'username' | 'preferences'> | undefined;
}

/** The user that a person on record also is. */
export async function findUserOfPerson(
  executor: Executor,
  personId: string,
): Promise<
  | {
      readonly userId: string;
      readonly status: UserStatus;
      readonly roles: readonly string[];
      readonly lastSignInAt: string | null;
    }
  | undefined
> {
  const { rows } = await executor.execute(sql`
    select u.id as "userId", u.status, u.last_sign_in_at as "lastSignInAt",
      coalesce((select jsonb_agg(r.name order by r.name) from user_role ur join role r on r.id = ur.role_id
        where ur.user_id = u.id), '[]') as roles
    from person p join portal_user u on u.id = p.user_id where p.id = ${personId}`);
  const row = rows[0] as
    | { userId: string; status: UserStatus; roles: string[]; lastSignInAt: string | Date | null }
    | undefined;
  return row && { ...row, lastSignInAt: isoOrNull(row.lastSignInAt) };
}
