import { sql, type SQL } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import type { Executor } from '../../platform/database/database.ts';
import { searchWord } from './search-tables.ts';

/** Maximum number of neighbors whose edit distance is computed. */
const SIMILAR = 300;
const BEGINNING_ALIKE = 700;
const SAME_BEGINNING = 3;
/** Sorts after every word with the same prefix. */
const LAST = '\u{10FFFF}';

/** As in the index. */
const word = sql`${searchWord.word} collate "C"`;
const isWithin = (from: SQL | string, to: SQL | string): SQL =>
  sql`${word} >= ${from} and ${word} < ${to}`;

/** Which of these words occur, or are a prefix of one. */
export async function knownWords(on: Executor, words: readonly string[]): Promise<Set<string>> {
  if (words.length === 0) return new Set();
  const given = sql`w.word`;
  const rows = await on
    .select({ word: sql<string>`${given}` })
    .from(sql`unnest(${sql.param([...words])}::text[]) as w(word)`)
    .where(
      sql`exists ${on
        .select({ word: searchWord.word })
        .from(searchWord)
        .where(isWithin(given, sql`${given} || ${LAST}`))}`,
    );
  return new Set(rows.map((row) => row.word));
}

/** Which of these words occur. One index lookup for each word. */
export async function occurringWords(on: Executor, words: readonly string[]): Promise<string[]> {
  if (words.length === 0) return [];
  const rows = await on
    .selectDistinct({ word: searchWord.word })
    .from(searchWord)
    .where(sql`${word} = any(${sql.param([...words])}::text[])`);
  return rows.map((row) => row.word);
}

/** Words made of letters that share trigrams with this one, or its prefix and approximate length. */
export async function similarWords(on: Executor, typed: string): Promise<string[]> {
  const beginning = [...typed].slice(0, SAME_BEGINNING).join('');
  const words = () => on.select({ word: searchWord.word }).from(searchWord).$dynamic();
  const rows = await union(
    words()
      .where(sql`${searchWord.word} !~ '[0-9]' and ${searchWord.word} % ${typed}`)
      .limit(SIMILAR),
    words()
      .where(
        sql`${isWithin(beginning, `${beginning}${LAST}`)} and abs(length(${searchWord.word}) - ${[...typed].length}) <= 2`,
      )
      .limit(BEGINNING_ALIKE),
  );
  return rows.map((row) => row.word);
}
