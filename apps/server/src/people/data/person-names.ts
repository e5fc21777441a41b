import { QueryBuilder } from 'drizzle-orm/pg-core';
import { person } from './people-tables.ts';

/** Names of people, to be joined by `personId`; use `left join` if a device may have no owner. */
export const personNames = new QueryBuilder()
  .select({
    personId: person.id,
    username: person.username,
    name: person.name,
    email: person.email,
    phone: person.phone,
    userId: person.userId,
  })
  .from(person)
  .as('person_name');
