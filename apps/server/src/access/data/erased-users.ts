import { isNotNull, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { portalUser } from './access-tables.ts';

/** IDs of erased users as text, for joins by delayed writes. */
export const erasedUsers = new QueryBuilder()
  .select({ userId: sql<string>`${portalUser.id}::text`.as('erased_user_id') })
  .from(portalUser)
  .where(isNotNull(portalUser.erasedAt))
  .as('erased_user');
