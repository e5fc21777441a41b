import { sql } from 'drizzle-orm';
import type { Executor } from '../platform/database/database.ts';

/** Neighbours that are compared letter by letter. */
const SIMILAR = 300;
const BEGINNING_ALIKE = 700;
const SAME_BEGINNING = 3;

/** Which of these words occur, or begin one that does. */
export async function knownWords(on: Executor, words: readonly string[]): Promise<Set<string>> {
  if (words.length === 0) return new Set();
  const { rows } = await on.execute<{ word: string }>(sql`
    select w.word from unnest(${sql.param([...words])}::text[]) as w(word)
    where exists (select from search_word s
      where s.word collate "C" >= w.word and s.word collate "C" < w.word || ${'\u{10FFFF}'})`);
  return new Set(rows.map(({ word }) => word));
}

/** Which of these words occur. However many they are, each is one look into an index. */
export async function occurringWords(on: Executor, words: readonly string[]): Promise<string[]> {
  if (words.length === 0) return [];
  const { rows } = await on.execute<{ word: string }>(sql`
    select distinct word from search_word where word collate "C" = any(${sql.param([...words])}::text[])`);
  return rows.map(({ word }) => word);
}

/** Words of letters that share trigrams with this one, or their beginning and about their length. */
export async function similarWords(on: Executor, word: string): Promise<string[]> {
  const beginning = [...word].slice(0, SAME_BEGINNING).join('');
  const { rows } = await on.execute<{ word: string }>(sql`
    (select word from search_word where word !~ '[0-9]' and word % ${word} limit ${SIMILAR})
    union
    (select word from search_word
     where word collate "C" >= ${beginning} and word collate "C" < ${`${beginning}\u{10FFFF}`}
       and abs(length(word) - ${[...word].length}) <= 2 limit ${BEGINNING_ALIKE})`);
  return rows.map(({ word: near }) => near);
}
