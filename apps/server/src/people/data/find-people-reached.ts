import { like, type SQL } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { likeLiteral } from '../../platform/database/like-literal.ts';
import { emailBegins } from './person-conditions.ts';
import { person } from './people-tables.ts';

/** People whose email address starts with this text. */
export const findPeopleByEmail = (on: Executor, beginning: string, limit: number) =>
  findPeople(on, emailBegins(beginning), limit);

/** @param beginning of a phone number, with its `+` */
export const findPeopleByPhone = (on: Executor, beginning: string, limit: number) =>
  findPeople(on, like(person.phone, `${likeLiteral(beginning)}%`), limit);

async function findPeople(on: Executor, condition: SQL, limit: number): Promise<string[]> {
  const rows = await on.select({ id: person.id }).from(person).where(condition).limit(limit);
  return rows.map(({ id }) => id);
}
