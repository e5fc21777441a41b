import { QueryBuilder } from 'drizzle-orm/pg-core';
import { portalUser } from './access-tables.ts';

/** Names of users of any status, for joins by `userId`. */
export const userNames = new QueryBuilder()
  .select({
    userId: portalUser.id,
    subject: portalUser.subject,
    username: portalUser.username,
    name: portalUser.name,
  })
  .from(portalUser)
  .as('user_name');
