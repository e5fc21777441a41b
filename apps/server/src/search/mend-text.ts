import { typingDistance } from '@deviceportal/contract/typing-distance';
import type { Executor } from '../platform/database/database.ts';
import { vocabularyWordsOf, withWords } from './search-text.ts';
import { typingVariants } from './typing-errors.ts';
import { knownWords, occurringWords, similarWords } from './data/word-queries.ts';

/** A shorter word has too many neighbours to say which was meant. */
const SHORTEST_MENDED = 4;
const LONGEST_MENDED = 32;
/** Two errors are one too many in a short word. */
const SHORTEST_WITH_TWO_ERRORS = 6;
/** Of a longer text only so many words are looked after. */
const MOST_WORDS = 6;
const MOST_TEXTS = 3;

/**
 * What a text may have been meant to be, likeliest first: each word that occurs nowhere is replaced by one that does.
 * Nothing where every word is known, or one has no neighbour.
 */
export async function mendText(on: Executor, text: string): Promise<string[]> {
  const words = vocabularyWordsOf(text).slice(0, MOST_WORDS);
  const known = await knownWords(on, words);
  const unknown = words.filter((word) => !known.has(word) && isMendable(word));
  if (unknown.length === 0) return [];
  const choices = await Promise.all(unknown.map((word) => neighboursOf(on, word)));
  if (choices.some((choice) => choice.length === 0)) return [];
  const texts = new Set<string>();
  // The second choice of one word with the first of the others; more would be guessing.
  for (let rank = 0; rank < MOST_TEXTS; rank += 1) {
    const picked = choices.map((choice) => choice[Math.min(rank, choice.length - 1)] ?? '');
    texts.add(withWords(text, new Map(unknown.map((word, at) => [word, picked[at] ?? word]))));
  }
  return [...texts];
}

/** Numbers, and words too short or too long, are left as they are. */
function isMendable(word: string): boolean {
  const length = [...word].length;
  return length >= SHORTEST_MENDED && length <= LONGEST_MENDED && !/^\d+$/.test(word);
}

/** Without accents: who leaves out all of them makes no error for each. */
const plainOf = (word: string): string => word.normalize('NFD').replaceAll(/\p{M}/gu, '');

/** Words that occur and are one typing error away, likeliest first; else two errors away, nearest first. */
async function neighboursOf(on: Executor, word: string): Promise<string[]> {
  const variants = typingVariants(word);
  const likelihood = new Map(variants.map((variant) => [variant.word, variant.likelihood]));
  const near = await occurringWords(on, [...likelihood.keys()]);
  if (near.length > 0) {
    return near
      .toSorted((one, other) => (likelihood.get(other) ?? 0) - (likelihood.get(one) ?? 0))
      .slice(0, MOST_TEXTS);
  }
  if ([...word].length < SHORTEST_WITH_TWO_ERRORS || /\d/.test(word)) return [];
  return (await similarWords(on, word))
    .map((other) => ({ other, distance: typingDistance(plainOf(word), plainOf(other), 2) }))
    .filter(({ distance }) => distance <= 2)
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, MOST_TEXTS)
    .map(({ other }) => other);
}
