import type { Queryable } from '../../store/in-transaction.ts';

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

export async function addRoleMember(
  db: Queryable,
  member: { readonly roleId: string; readonly userId: string },
  at: Date,
): Promise<void> {
  await db.query(
    `insert into identity.provider_role_member (role_id, user_id, created_at)
     values ($1, $2, $3) on conflict do nothing`,
    [member.roleId, member.userId, at],
  );
}
