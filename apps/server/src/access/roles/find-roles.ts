import { sql } from 'drizzle-orm';
import type { Permission, Scope } from '@deviceportal/contract/permissions';
import type { Executor } from '../../platform/database/database.ts';

export interface StoredRole {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly scope: Scope;
}

/** Every role, whoever holds it, in the order of their names. */
export async function findRoles(executor: Executor): Promise<readonly StoredRole[]> {
  const { rows } = await executor.execute(
    sql`select id, name, permissions, scope from role order by name`,
  );
  return rows as unknown as StoredRole[];
}

/** The names of the roles that hold a permission: whom to ask. */
export async function findRoleNamesHolding(
  executor: Executor,
  permission: Permission,
): Promise<readonly string[]> {
  const { rows } = await executor.execute(
    sql`select name from role where permissions ? ${permission}::text order by name`,
  );
  return (rows as unknown as { name: string }[]).map(({ name }) => name);
}

/** Whom to ask, in words: by their roles, or by the permission where no role holds it. */
export function holderWords(roles: readonly string[], permission: Permission): string {
  return roles.length === 0 ? `the permission ${permission}` : `the role ${roles.join(' or ')}`;
}
