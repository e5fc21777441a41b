import { QueryBuilder } from 'drizzle-orm/pg-core';
import { portalUser } from './access-tables.ts';

/**
 * Names of users of any status, for joins by `userId`.
 *
 * @param alias name of the subquery
 */
export const userNamesAs = <Alias extends string>(alias: Alias) =>
  new QueryBuilder()
    .select({
      userId: portalUser.id,
      subject: portalUser.subject,
      username: portalUser.username,
      name: portalUser.name,
    })
    .from(portalUser)
    .as(alias);

export const userNames = userNamesAs('user_name');
