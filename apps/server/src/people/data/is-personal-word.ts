import type { Executor } from '../../platform/database/database.ts';
import { containsWord } from './person-conditions.ts';
import { person } from './people-tables.ts';

/** Whether a lower-case word occurs in the name or contact data of any person. */
export async function isPersonalWord(on: Executor, word: string): Promise<boolean> {
  const found = await on.select({ id: person.id }).from(person).where(containsWord(word)).limit(1);
  return found.length > 0;
}
