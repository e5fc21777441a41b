import type { Executor } from '../../platform/database/database.ts';
import { containsWord } from './person-conditions.ts';
import { person } from './people-tables.ts';

/** Whether a word, in lower case, occurs in what a person is called. */
export async function isWordOfPeople(on: Executor, word: string): Promise<boolean> {
  const found = await on.select({ id: person.id }).from(person).where(containsWord(word)).limit(1);
  return found.length > 0;
}
