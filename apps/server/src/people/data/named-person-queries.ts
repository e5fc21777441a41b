import { and, ne } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import { userNames } from '../../access/data/user-names.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { person } from './people-tables.ts';

/** Which of these texts are the name or username of a person or user, except one. */
export async function findNamesTaken(
  on: Executor,
  candidates: readonly string[],
  exceptId: string,
): Promise<string[]> {
  const ofPerson = (column: typeof person.name | typeof person.username) =>
    on
      .select({ text: column })
      .from(person)
      .where(and(isAnyOf(column, candidates), ne(person.id, exceptId)));
  const ofUser = (column: typeof userNames.name | typeof userNames.username) =>
    on.select({ text: column }).from(userNames).where(isAnyOf(column, candidates));
  const rows = await union(
    ofPerson(person.name),
    ofPerson(person.username),
    ofUser(userNames.name),
    ofUser(userNames.username),
  );
  return rows.map(({ text }) => text);
}
