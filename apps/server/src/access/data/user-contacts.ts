import { QueryBuilder } from 'drizzle-orm/pg-core';
import { portalUser } from './access-tables.ts';

/** How messages reach users and in which language, whatever their status, to be joined by `userId`. */
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
