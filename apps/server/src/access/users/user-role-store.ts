import { sql } from 'drizzle-orm';
import { PortalError } from '@deviceportal/contract/errors';
import { ADMINISTRATOR, type Grant } from '@deviceportal/contract/permissions';
import type { UserStatus } from '@deviceportal/contract/states';
import type { Executor, Transaction } from '../../platform/database/database.ts';

export interface HeldRole extends Grant {
  readonly id: string;
  readonly name: string;
}

/** A user with the roles that were given to them. */
export interface UserWithRoles {
  readonly id: string;
  readonly subject: string;
  readonly username: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly status: UserStatus;
  readonly lastSignInAt: Date | null;
  readonly roles: readonly HeldRole[];
}

/** @throws PortalError 2003 without such a user */
export async function requireUser(executor: Executor, id: string): Promise<UserWithRoles> {
  const { rows } = await executor.execute(sql`
    select u.id, u.subject, u.username, u.email, u.phone, u.status, u.last_sign_in_at as "lastSignInAt",
           coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'permissions', r.permissions,
             'scope', r.scope) order by r.name) filter (where r.id is not null), '[]') as roles
    from portal_user u
    left join user_role ur on ur.user_id = u.id
    left join role r on r.id = ur.role_id
    where u.id = ${id} group by u.id`);
  const found = rows[0] as unknown as UserWithRoles | undefined;
  if (found === undefined) throw new PortalError('notFound', { facts: { id } });
  return found;
}

export async function findRolesByIds(
  executor: Executor,
  ids: readonly string[],
): Promise<HeldRole[]> {
  const { rows } = await executor.execute(sql`
    select id, name, permissions, scope from role where id = any(${sql.param(ids)}::uuid[]) order by name`);
  return rows as unknown as HeldRole[];
}

export async function holdsRole(
  executor: Executor,
  userId: string,
  roleId: string,
): Promise<boolean> {
  const { rows } = await executor.execute(
    sql`select 1 from user_role where user_id = ${userId} and role_id = ${roleId}`,
  );
  return rows.length > 0;
}

export async function addRoles(
  tx: Transaction,
  userId: string,
  roleIds: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    insert into user_role (user_id, role_id)
    select ${userId}::uuid, unnest(${sql.param(roleIds)}::uuid[]) on conflict do nothing`);
  if (roleIds.length > 0) await markAdmitted(tx, userId);
}

/** An administrator has let them in; it stays so when their roles are taken away. */
export async function markAdmitted(tx: Transaction, userId: string): Promise<void> {
  await tx.execute(
    sql`update portal_user set admitted_at = coalesce(admitted_at, portal_now()) where id = ${userId}`,
  );
}

export async function removeRoles(
  tx: Transaction,
  userId: string,
  roleIds: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    delete from user_role where user_id = ${userId} and role_id = any(${sql.param(roleIds)}::uuid[])`);
}

/** Whether anybody who may use the portal holds everything, but for one who is about to lose it. */
export async function hasAdministrator(
  executor: Executor,
  without: string | null,
): Promise<boolean> {
  const { rows } = await executor.execute(sql`
    select 1 from portal_user u
    where u.status = 'Activated' and u.id is distinct from ${without}::uuid and (u.in_admin_group or exists (
      select 1 from user_role ur join role r on r.id = ur.role_id
      where ur.user_id = u.id and r.builtin and r.name = ${ADMINISTRATOR})) limit 1`);
  return rows.length > 0;
}

export async function setStatus(
  tx: Transaction,
  userId: string,
  status: UserStatus,
): Promise<void> {
  await tx.execute(sql`update portal_user set status = ${status} where id = ${userId}`);
}
