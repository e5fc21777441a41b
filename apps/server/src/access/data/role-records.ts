import { QueryBuilder } from 'drizzle-orm/pg-core';
import { role } from './access-tables.ts';

/** Roles as they are now, for joins by `roleId`. */
export const roleRecords = new QueryBuilder()
  .select({ roleId: role.id, name: role.name, permissions: role.permissions, scope: role.scope })
  .from(role)
  .as('role_record');
