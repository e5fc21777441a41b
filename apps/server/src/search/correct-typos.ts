import { typingDistance } from '@deviceportal/contract/typing-distance';
import type { Executor } from '../platform/database/database.ts';
import { folded, foldedWrittenOut } from '../platform/text/folded.ts';
import { vocabularyWordsOf, withWords } from './search-text.ts';
import { typingVariants, type Variant } from './typing-errors.ts';
import { knownWords, occurringWords, similarWords } from './data/word-queries.ts';

/** Shorter words have too many neighbors for a reliable correction, except the same letters with accents. */
const MIN_CORRECTED_LENGTH = 4;
const MAX_CORRECTED_LENGTH = 32;
/** Shorter words are corrected for one error only. */
const SHORTEST_WITH_TWO_ERRORS = 6;
/** Shorter words may differ in their length by one character. */
const SHORTEST_WITH_TWO_MISSING = 8;
/** Number of words of a text that are corrected. */
const MOST_WORDS = 6;
const MOST_TEXTS = 3;
const MOST_NEIGHBORS = 6;

/** Existing words that a word of a text may stand for, most likely first. */
export interface Correction {
  /** Whether the word occurs itself, so that only another combination of words was meant. */
  readonly isKnown: boolean;
  readonly words: readonly string[];
}
export type Corrections = ReadonlyMap<string, Correction>;

/** @param isKept words that are not corrected because they have a meaning for the search */
export async function findCorrections(
  on: Executor,
  text: string,
  isKept: (word: string) => boolean,
): Promise<Corrections> {
  const words = vocabularyWordsOf(text)
    .slice(0, MOST_WORDS)
    .filter((word) => !/^\d+$/.test(word) && [...word].length <= MAX_CORRECTED_LENGTH)
    .filter((word) => !isKept(word));
  const known = await knownWords(on, words);
  // An address has many words, of which nearly all occur.
  const corrected = text.includes('@') ? words.filter((word) => !known.has(word)) : words;
  const found = await Promise.all(
    corrected.map(async (word) => {
      const correction = { isKnown: known.has(word), words: await neighborsOf(on, word) };
      return [word, correction] as const;
    }),
  );
  return new Map(found);
}

/**
 * Possible corrections of a text, most likely first: each word that does not occur is replaced by one that does, and each
 * word by the same one with accents. Empty if there is nothing to replace, or a word has no neighbor.
 */
export function correctedTexts(text: string, corrections: Corrections): string[] {
  const choices = [...corrections].flatMap(([word, { isKnown, words }]) => {
    const usable = isKnown ? words.filter((other) => hasSameLetters(word, other)) : words;
    return isKnown && usable.length === 0 ? [] : [[word, usable] as const];
  });
  if (choices.length === 0 || choices.some(([, words]) => words.length === 0)) return [];
  const texts = new Set<string>();
  // Combines the second correction of one word with the first of the others; further combinations are too unreliable.
  for (let rank = 0; rank < MOST_TEXTS; rank += 1) {
    const picked = choices.map(
      ([word, words]) => [word, words[Math.min(rank, words.length - 1)] ?? word] as const,
    );
    texts.add(withWords(text, new Map(picked)));
  }
  return [...texts];
}

const hasSameLetters = (word: string, other: string): boolean =>
  folded(word) === folded(other) || folded(word) === foldedWrittenOut(other);

/** Existing words at edit distance 1, most likely first; if there are none, at distance 2, nearest first. */
async function neighborsOf(on: Executor, word: string): Promise<string[]> {
  const variants = [...typingVariants(word), ...umlautVariants(word)];
  const length = [...word].length;
  if (length < MIN_CORRECTED_LENGTH) return accentedOf(on, word, variants);
  const likelihood = new Map(variants.map((variant) => [variant.word, variant.likelihood]));
  const near = await occurringWords(on, [...likelihood.keys()]);
  if (near.length > 0) {
    return near
      .toSorted((one, other) => (likelihood.get(other) ?? 0) - (likelihood.get(one) ?? 0))
      .slice(0, MOST_NEIGHBORS);
  }
  if (length < SHORTEST_WITH_TWO_ERRORS || /\d/.test(word)) return [];
  return (await similarWords(on, word))
    .map((other) => ({ other, distance: distanceOf(word, other) }))
    .filter(({ distance }) => distance <= 2)
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, MOST_NEIGHBORS)
    .map(({ other }) => other);
}

/** The same letters with accents. */
function accentedOf(on: Executor, word: string, variants: readonly Variant[]): Promise<string[]> {
  const accented = variants
    .map((variant) => variant.word)
    .filter((other) => hasSameLetters(word, other));
  return occurringWords(on, accented);
}

/**
 * Without accents, so that omitting all of them does not count as several errors. Of a word with up to seven letters,
 * two missing or extra letters make another word: "reboot" is not "root".
 */
function distanceOf(word: string, other: string): number {
  const [one, two] = [folded(word), folded(other)];
  if (one.length < SHORTEST_WITH_TWO_MISSING && Math.abs(one.length - two.length) > 1) return 3;
  return Math.min(typingDistance(one, two, 2), typingDistance(one, foldedWrittenOut(other), 2));
}

const umlauts: readonly (readonly [string, string])[] = [
  ['ae', 'ä'],
  ['oe', 'ö'],
  ['ue', 'ü'],
  ['ss', 'ß'],
];

/** `köln` for `koeln`. */
const umlautVariants = (word: string) =>
  umlauts
    .filter(([written]) => word.includes(written))
    .map(([written, letter]) => ({ word: word.replaceAll(written, letter), likelihood: 1 }));
