import { sql, type SQL } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import { builtOnce } from '../../platform/database/built-once.ts';
import type { Executor } from '../../platform/database/database.ts';
import { onceGiven } from '../../platform/database/once-given.ts';
import { searchWord } from './search-tables.ts';

/** Maximum number of neighbors whose edit distance is computed. */
const SIMILAR = 300;
const BEGINNING_ALIKE = 700;
const SAME_BEGINNING = 3;
const TRIGRAM = 3;
/** To be similar to a word of this length, it is enough to begin alike, as thousands of words can. */
const LONGEST_BY_PATTERNS = 7;
/** Sorts after every word with the same prefix. */
const LAST = '\u{10FFFF}';

/** As in the index. */
const word = sql`${searchWord.word} collate "C"`;
const isWithin = (from: SQL | string, to: SQL | string): SQL =>
  sql`${word} >= ${from} and ${word} < ${to}`;

/** Not seen by the planner, which would examine each of hundreds of words. */
const givenWords = onceGiven('words', 'text[]');

const beginnings = builtOnce((on) => {
  const given = sql`w.word`;
  return on
    .select({ word: sql<string>`${given}` })
    .from(sql`unnest(${givenWords}) as w(word)`)
    .where(
      sql`exists ${on
        .select({ word: searchWord.word })
        .from(searchWord)
        .where(isWithin(given, sql`${given} || ${LAST}`))}`,
    )
    .prepare('words-that-begin');
});

/** Which of these words occur, or are a prefix of one. */
export async function knownWords(on: Executor, words: readonly string[]): Promise<Set<string>> {
  if (words.length === 0) return new Set();
  const rows = await beginnings(on).execute({ words: [...words] });
  return new Set(rows.map((row) => row.word));
}

const occurring = builtOnce((on) =>
  on
    .selectDistinct({ word: searchWord.word })
    .from(searchWord)
    .where(sql`${word} = any(${givenWords}::text[])`)
    .prepare('words-that-occur'),
);

/** Which of these words occur, with one index look-up for each. */
export async function occurringWords(on: Executor, words: readonly string[]): Promise<string[]> {
  if (words.length === 0) return [];
  const rows = await occurring(on).execute({ words: [...words] });
  return rows.map((row) => row.word);
}

/** Words made of letters that share trigrams with this one, or its prefix and approximate length. */
export async function similarWords(on: Executor, typed: string): Promise<string[]> {
  const letters = [...typed];
  const beginning = letters.slice(0, SAME_BEGINNING).join('');
  const begun = wordsWhere(
    on,
    sql`${isWithin(beginning, `${beginning}${LAST}`)} and abs(length(${searchWord.word}) - ${letters.length}) <= 2`,
  ).limit(BEGINNING_ALIKE);
  const alike = sql`${searchWord.word} !~ '[0-9]' and ${searchWord.word} % ${typed}`;
  if (letters.length > LONGEST_BY_PATTERNS) {
    const rows = await union(wordsWhere(on, alike).limit(SIMILAR), begun);
    return rows.map((row) => row.word);
  }
  const each = wordsWhere(on, sql`${alike} and ${searchWord.word} like p.pattern`)
    .limit(SIMILAR)
    .as('each');
  const sharing = on
    .select({ word: each.word })
    .from(sql`unnest(${sql.param(laterPatterns(letters))}::text[]) as p(pattern)`)
    .crossJoinLateral(each);
  const rows = await union(sharing, begun);
  return rows.map((row) => row.word);
}

const wordsWhere = (on: Executor, where: SQL) =>
  on.select({ word: searchWord.word }).from(searchWord).where(where).$dynamic();

/**
 * A word that shares three trigrams with this one, but not its first three letters, contains three later letters, or has
 * the same two letters at its beginning and end.
 */
function laterPatterns(letters: readonly string[]): string[] {
  const together = letters
    .slice(1, 1 - TRIGRAM)
    .map((_, at) => `%${letters.slice(at + 1, at + 1 + TRIGRAM).join('')}%`);
  return [...together, `${letters.slice(0, 2).join('')}%${letters.slice(-2).join('')}`];
}
