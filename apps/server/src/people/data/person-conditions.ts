import { and, eq, like, sql, type SQL } from 'drizzle-orm';
import { likeLiteral } from '../../platform/database/like-literal.ts';
import { person } from './people-tables.ts';

/** The searchable data of a person, as in the index `person_text`. */
const searchedText = sql`lower(${person.name} || ' ' || ${person.username} || ' ' || coalesce(${person.email}, '') || ' ' || coalesce(${person.phone}, ''))`;

/** The lower-case word occurs in the searchable data of a person. */
export const containsWord = (word: string): SQL => like(searchedText, `%${likeLiteral(word)}%`);

export const containsWords = (words: readonly string[]): SQL | undefined =>
  and(...words.map(containsWord));

/** The same for an index look-up whose size has been estimated: the planner need not compare words with its histogram. */
export const indexedByWords = (words: readonly string[]): SQL | undefined =>
  and(...words.map((word) => sql`${searchedText} like (select ${`%${likeLiteral(word)}%`}::text)`));

export const emailBegins = (text: string): SQL =>
  like(sql`lower(${person.email})`, `${likeLiteral(text.toLowerCase())}%`);

/** @param digits including the country code */
export const phoneBegins = (digits: string): SQL => like(person.phone, `+${digits}%`);

export const hasUsername = (username: string): SQL => eq(person.username, username);

export const hasPersonId = (id: string): SQL => eq(person.id, id);

/** Uses the index by name. */
export const nameBegins = (text: string): SQL =>
  sql`(${person.name} >= ${text} and ${person.name} < ${`${text}\u{10FFFF}`} and starts_with(${person.name}, ${text}))`;
