import { QueryBuilder } from 'drizzle-orm/pg-core';
import { portalUser } from './access-tables.ts';

/** What users are called, whatever their status, to be joined by `userId`. */
export const userNames = new QueryBuilder()
  .select({
    userId: portalUser.id,
    subject: portalUser.subject,
    username: portalUser.username,
    name: portalUser.name,
  })
  .from(portalUser)
  .as('user_name');
