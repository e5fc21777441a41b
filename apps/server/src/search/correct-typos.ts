import { typingDistance } from '@deviceportal/contract/typing-distance';
import type { Executor } from '../platform/database/database.ts';
import { folded, foldedWrittenOut } from '../platform/text/folded.ts';
import { vocabularyWordsOf, withWords } from './search-text.ts';
import { typingVariants } from './typing-errors.ts';
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

/**
 * Finds the corrections of the texts of one search. A word that several of them contain is looked up once.
 *
 * @param isKept words that are not corrected because they have a meaning for the search
 */
export function correctorOf(
  on: Executor,
  isKept: (word: string) => boolean,
): (text: string) => Promise<Corrections> {
  const found = new Map<string, Correction>();
  return async (text) => {
    const words = vocabularyWordsOf(text)
      .slice(0, MOST_WORDS)
      .filter((word) => !/^\d+$/.test(word) && [...word].length <= MAX_CORRECTED_LENGTH)
      .filter((word) => !isKept(word));
    const further = words.filter((word) => !found.has(word));
    const lookUp = knownWords(on, further);
    // An address has many words, of which nearly all occur.
    const corrected = text.includes('@')
      ? await lookUp.then((known) => further.filter((word) => !known.has(word)))
      : further;
    const [known, neighbors] = await Promise.all([lookUp, neighborsOf(on, corrected)]);
    for (const [word, likely] of neighbors) {
      found.set(word, { isKnown: known.has(word), words: likely });
    }
    return new Map(
      words.flatMap((word) => {
        const correction = found.get(word);
        return correction === undefined ? [] : [[word, correction] as const];
      }),
    );
  };
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

/** Existing words at edit distance 1 of each word, most likely first; if there are none, at distance 2, nearest first. */
async function neighborsOf(
  on: Executor,
  words: readonly string[],
): Promise<(readonly [word: string, neighbors: string[]])[]> {
  const variants = words.map((word) => [word, variantsOf(word)] as const);
  const occurring = new Set(
    await occurringWords(
      on,
      variants.flatMap(([, likelihood]) => [...likelihood.keys()]),
    ),
  );
  return Promise.all(
    variants.map(async ([word, likelihood]) => {
      const near = [...likelihood.keys()].filter((variant) => occurring.has(variant));
      return [word, near.length > 0 ? mostLikely(near, likelihood) : await distantOf(on, word)];
    }),
  );
}

type Likelihood = ReadonlyMap<string, number>;

/** Of a short word, only the same letters with accents. */
function variantsOf(word: string): Likelihood {
  const variants = [...typingVariants(word), ...umlautVariants(word)];
  const isShort = [...word].length < MIN_CORRECTED_LENGTH;
  return new Map(
    variants
      .filter((variant) => !isShort || hasSameLetters(word, variant.word))
      .map((variant) => [variant.word, variant.likelihood]),
  );
}

const mostLikely = (words: readonly string[], likelihood: Likelihood): string[] =>
  words
    .toSorted((one, other) => (likelihood.get(other) ?? 0) - (likelihood.get(one) ?? 0))
    .slice(0, MOST_NEIGHBORS);

async function distantOf(on: Executor, word: string): Promise<string[]> {
  if ([...word].length < SHORTEST_WITH_TWO_ERRORS || /\d/.test(word)) return [];
  return (await similarWords(on, word))
    .map((other) => ({ other, distance: distanceOf(word, other) }))
    .filter(({ distance }) => distance <= 2)
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, MOST_NEIGHBORS)
    .map(({ other }) => other);
}

/**
 * Without accents, so that omitting all of them does not count as several errors. Of a word with up to seven letters,
 * two missing or extra letters make another word: "reboot" is not "root".
 */
function distanceOf(word: string, other: string): number {
  const [one, two] = [folded(word), folded(other)];
  if (one.length < SHORTEST_WITH_TWO_MISSING && Math.abs(one.length - two.length) > 1) return 3;
  const writtenOut = foldedWrittenOut(other);
  const distance = typingDistance(one, two, 2);
  return writtenOut === two ? distance : Math.min(distance, typingDistance(one, writtenOut, 2));
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
