import { typingDistance } from '@deviceportal/contract/typing-distance';
import type { Executor } from '../platform/database/database.ts';
import { vocabularyWordsOf, withWords } from './search-text.ts';
import { typingVariants } from './typing-errors.ts';
import { knownWords, occurringWords, similarWords } from './data/word-queries.ts';

/** Shorter words have too many neighbors for a reliable correction. */
const MIN_CORRECTED_LENGTH = 4;
const MAX_CORRECTED_LENGTH = 32;
/** Shorter words are corrected for one error only. */
const SHORTEST_WITH_TWO_ERRORS = 6;
/** Number of words of a text that are corrected. */
const MOST_WORDS = 6;
const MOST_TEXTS = 3;

/**
 * Possible corrections of a text, most likely first: each word that does not occur is replaced by one that does.
 * Empty if every word is known, or a word has no neighbor.
 */
export async function correctTypos(on: Executor, text: string): Promise<string[]> {
  const words = vocabularyWordsOf(text).slice(0, MOST_WORDS);
  const known = await knownWords(on, words);
  const unknown = words.filter((word) => !known.has(word) && isCorrectable(word));
  if (unknown.length === 0) return [];
  const choices = await Promise.all(unknown.map((word) => neighborsOf(on, word)));
  if (choices.some((choice) => choice.length === 0)) return [];
  const texts = new Set<string>();
  // Combines the second correction of one word with the first of the others; further combinations are too unreliable.
  for (let rank = 0; rank < MOST_TEXTS; rank += 1) {
    const picked = choices.map((choice) => choice[Math.min(rank, choice.length - 1)] ?? '');
    texts.add(withWords(text, new Map(unknown.map((word, at) => [word, picked[at] ?? word]))));
  }
  return [...texts];
}

/** Numbers, and words that are too short or too long, are not corrected. */
function isCorrectable(word: string): boolean {
  const length = [...word].length;
  return length >= MIN_CORRECTED_LENGTH && length <= MAX_CORRECTED_LENGTH && !/^\d+$/.test(word);
}

/** Without accents, so that omitting all of them does not count as several errors. */
const plainOf = (word: string): string => word.normalize('NFD').replaceAll(/\p{M}/gu, '');

/** Existing words at edit distance 1, most likely first; if there are none, at distance 2, nearest first. */
async function neighborsOf(on: Executor, word: string): Promise<string[]> {
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
