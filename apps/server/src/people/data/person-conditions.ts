import { and, eq, like, sql, type SQL } from 'drizzle-orm';
import { likeLiteral } from '../../platform/database/like-literal.ts';
import { person } from './people-tables.ts';

/** Everything that a person is called, as in the index `person_text`. */
const searchedText = sql`lower(${person.name} || ' ' || ${person.username} || ' ' || coalesce(${person.email}, '') || ' ' || coalesce(${person.phone}, ''))`;

/** The word, in lower case, occurs in what a person is called. */
export const containsWord = (word: string): SQL => like(searchedText, `%${likeLiteral(word)}%`);

export const containsWords = (words: readonly string[]): SQL | undefined =>
  and(...words.map(containsWord));

export const emailBegins = (text: string): SQL =>
  like(sql`lower(${person.email})`, `${likeLiteral(text.toLowerCase())}%`);

/** @param digits the country's code first */
export const phoneBegins = (digits: string): SQL => like(person.phone, `+${digits}%`);

export const hasUsername = (username: string): SQL => eq(person.username, username);

export const hasPersonId = (id: string): SQL => eq(person.id, id);

/** Through the index by name. */
export const nameBegins = (text: string): SQL =>
  sql`(${person.name} >= ${text} and ${person.name} < ${`${text}\u{10FFFF}`} and starts_with(${person.name}, ${text}))`;
