import { eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { person } from './people-tables.ts';

/**
 * What people are called, to be joined by `personId`; `left join` where a device may have no owner.
 *
 * @param alias its name in the statement
 */
export const personNamesAs = <Alias extends string>(alias: Alias) =>
  new QueryBuilder()
    .select({
      personId: person.id,
      username: person.username,
      name: person.name,
      email: person.email,
      phone: person.phone,
      userId: person.userId,
    })
    .from(person)
    .as(alias);

export const personNames = personNamesAs('person_name');

/** The name of a person, such as the owner of a device; null where there is none. */
export const nameOfPerson = (personId: SQLWrapper): SQL<string | null> =>
  sql<string | null>`(${new QueryBuilder()
    .select({ name: person.name })
    .from(person)
    .where(eq(person.id, personId))})`;
