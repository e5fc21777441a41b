import type { Queryable } from '../database/in-transaction.ts';

export interface NewRole {
  readonly id: string;
  readonly userPoolId: string;
  readonly namespace: string;
  readonly code: string;
  readonly description?: string | undefined;
}

/** Makes the role unless there is one of this code. @returns its id */
export async function ensureRole(db: Queryable, role: NewRole, at: Date): Promise<string> {
  const answer = await db.query<{ id: string }>(
    `insert into identity.provider_role
       (id, user_pool_id, namespace, code, description, created_at, modified_at)
     values ($1, $2, $3, $4, $5, $6, $6)
     on conflict (user_pool_id, namespace, code) do update set code = excluded.code returning id`,
    [role.id, role.userPoolId, role.namespace, role.code, role.description ?? null, at],
  );
  return answer.rows[0]?.id ?? role.id;
}

export async function findRoleId(
  db: Queryable,
  role: Pick<NewRole, 'userPoolId' | 'namespace' | 'code'>,
): Promise<string | undefined> {
  const answer = await db.query<{ id: string }>(
    `select id from identity.provider_role where user_pool_id = $1 and namespace = $2 and code = $3`,
    [role.userPoolId, role.namespace, role.code],
  );
  return answer.rows[0]?.id;
}

export interface RoleMember {
  readonly roleId: string;
  readonly userId: string;
}

/** @returns false if the user already had it */
export async function addRoleMember(db: Queryable, member: RoleMember, at: Date): Promise<boolean> {
  const answer = await db.query(
    `insert into identity.provider_role_member (role_id, user_id, created_at)
     values ($1, $2, $3) on conflict do nothing`,
    [member.roleId, member.userId, at],
  );
  return answer.rowCount === 1;
}

/** @returns false where they did not hold it */
export async function deleteRoleMember(db: Queryable, member: RoleMember): Promise<boolean> {
  const answer = await db.query(
    'delete from identity.provider_role_member where role_id = $1 and user_id = $2',
    [member.roleId, member.userId],
  );
  return answer.rowCount === 1;
}

interface PlainRole {
  readonly id: string;
  readonly userPoolId: string;
  readonly namespace: string;
  readonly code: string;
  readonly description: string | null;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}

export interface Role extends PlainRole {
  readonly parent: PlainRole | null;
}

/** The roles of a person in one namespace, by code. */
export async function listRolesOf(
  db: Queryable,
  userId: string,
  namespace: string,
): Promise<Role[]> {
  const { rows } = await db.query<PlainRole & { parentId: string | null; isHeld: boolean }>(
    `with held as (
       select r.id, r.parent_id from identity.provider_role_member m
         join identity.provider_role r on r.id = m.role_id
        where m.user_id = $1 and r.namespace = $2)
     select r.id, r.user_pool_id as "userPoolId", r.namespace, r.code, r.description,
            r.created_at as "createdAt", r.modified_at as "modifiedAt", r.parent_id as "parentId",
            r.id in (select id from held) as "isHeld"
       from identity.provider_role r
      where r.id in (select id from held union select parent_id from held) order by r.code`,
    [userId, namespace],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return rows
    .filter(({ isHeld }) => isHeld)
    .map((row) => ({ ...row, parent: byId.get(row.parentId ?? '') ?? null }));
}
