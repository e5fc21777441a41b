import { QueryBuilder } from 'drizzle-orm/pg-core';
import { portalUser } from './access-tables.ts';

/** Contact addresses and language of users of any status, for joins by `userId`. */
export const userContacts = new QueryBuilder()
  .select({
    userId: portalUser.id,
    subject: portalUser.subject,
    username: portalUser.username,
    name: portalUser.name,
    email: portalUser.email,
    phone: portalUser.phone,
    preferences: portalUser.preferences,
  })
  .from(portalUser)
  .as('user_contact');
