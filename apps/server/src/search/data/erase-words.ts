import { sql } from 'drizzle-orm';
import { hasDeviceText } from '../../devices/data/has-device-text.ts';
import { isPersonalWord } from '../../people/data/is-personal-word.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { searchWord } from './search-tables.ts';

/** Removes words from the vocabulary for typo correction, unless a person or device still has them. */
export async function eraseWords(tx: Transaction, text: string): Promise<void> {
  const rows = await tx
    .selectDistinct({ word: sql<string>`words.word` })
    .from(sql`search_words(lower(${text})) as words(word)`);
  const unused: string[] = [];
  for (const { word } of rows) {
    if (await isPersonalWord(tx, word)) continue;
    if (!(await hasDeviceText(tx, word))) unused.push(word);
  }
  await tx.delete(searchWord).where(isAnyOf(searchWord.word, unused));
}
