import { sql } from 'drizzle-orm';
import type { NewRole, RoleRow } from '@deviceportal/contract/access';
import { PortalError } from '@deviceportal/contract/errors';
import type { Executor, Transaction } from '../../platform/database/database.ts';

const TIME = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;

export async function listRoles(executor: Executor): Promise<RoleRow[]> {
  const { rows } = await executor.execute<Record<string, never>>(sql`
    select r.id, r.name, r.description, r.permissions, r.scope, r.builtin,
           to_char(r.updated_at at time zone 'utc', ${sql.raw(TIME)}) as "updatedAt",
           count(ur.user_id)::int as "userCount"
    from role r left join user_role ur on ur.role_id = r.id
    group by r.id order by r.builtin desc, r.name`);
  return rows as unknown as RoleRow[];
}

/** @throws PortalError 2003 without such a role */
export async function requireRole(executor: Executor, id: string): Promise<RoleRow> {
  const found = (await listRoles(executor)).find((role) => role.id === id);
  if (found === undefined) throw new PortalError('notFound', { facts: { id } });
  return found;
}

/** @throws PortalError 7000 with the id of the role that has the name */
export async function requireFreeName(
  tx: Transaction,
  { name, id }: { readonly name: string; readonly id: string },
): Promise<void> {
  const { rows } = await tx.execute<{ id: string; name: string }>(
    sql`select id, name from role where lower(name) = lower(${name}) and id <> ${id}::uuid`,
  );
  const taken = rows[0];
  if (taken !== undefined) {
    throw new PortalError('roleAlreadyExists', { facts: { roleId: taken.id, name: taken.name } });
  }
}

export async function insertRole(tx: Transaction, id: string, role: NewRole): Promise<void> {
  await tx.execute(sql`
    insert into role (id, name, description, permissions, scope)
    values (${id}, ${role.name}, ${role.description}, ${JSON.stringify(role.permissions)}::jsonb,
            ${JSON.stringify(role.scope)}::jsonb)`);
}

export async function replaceRole(tx: Transaction, id: string, role: NewRole): Promise<void> {
  await tx.execute(sql`
    update role set name = ${role.name}, description = ${role.description},
      permissions = ${JSON.stringify(role.permissions)}::jsonb, scope = ${JSON.stringify(role.scope)}::jsonb,
      updated_at = portal_now(clock_timestamp())
    where id = ${id}`);
}

/** With it everybody who holds it loses it. */
export async function deleteRoleRow(tx: Transaction, id: string): Promise<void> {
  await tx.execute(sql`delete from user_role where role_id = ${id}`);
  await tx.execute(sql`delete from role where id = ${id}`);
}
