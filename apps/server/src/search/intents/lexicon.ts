import type { DeviceFilterToken } from '@deviceportal/contract/devices';
import { typingDistance } from '@deviceportal/contract/typing-distance';
import { commandPhrases } from './command-words.ts';
import { countryPhrases, isCountryCode } from './country-words.ts';
import { emptyWords, fleetPhrases } from './fleet-words.ts';

/** What a word or phrase of a request means. */
export type Meaning =
  | { readonly kind: 'command'; readonly commands: readonly string[] }
  | { readonly kind: 'filter'; readonly token: DeviceFilterToken }
  | { readonly kind: 'empty' };

interface Lexicon {
  readonly meanings: ReadonlyMap<string, Meaning>;
  /** In characters. */
  readonly longestHan: number;
  /** Single words with letters only, by length. */
  readonly words: readonly string[];
}

/** Words in a phrase. */
export const LONGEST_PHRASE = 5;
const SHORTEST_CORRECTED = 5;
const isHan = (text: string): boolean => /^\p{Script=Han}+$/u.test(text);

let built: Lexicon | undefined;

const lexicon = (): Lexicon => (built ??= buildLexicon());

function buildLexicon(): Lexicon {
  const meanings = new Map<string, Meaning>();
  for (const word of emptyWords) meanings.set(word, { kind: 'empty' });
  for (const [phrase, country] of countryPhrases()) {
    meanings.set(phrase, {
      kind: 'filter',
      token: { key: 'country', operator: '=', values: [country] },
    });
  }
  for (const [phrase, token] of fleetPhrases) meanings.set(phrase, { kind: 'filter', token });
  for (const [phrase, command] of commandPhrases) {
    const before = meanings.get(phrase);
    const commands = before?.kind === 'command' ? before.commands : [];
    meanings.set(phrase, { kind: 'command', commands: [...commands, command] });
  }
  const phrases = [...meanings.keys()];
  return {
    meanings,
    longestHan: Math.max(...phrases.filter(isHan).map((phrase) => phrase.length)),
    words: phrases.filter((phrase) => /^[a-z]{4,}$/.test(phrase)),
  };
}

export const meaningOf = (phrase: string): Meaning | undefined => lexicon().meanings.get(phrase);

/** Of a word in its original case: also codes of countries. */
export function meaningOfWord(word: string): Meaning | undefined {
  return isCountryCode(word)
    ? { kind: 'filter', token: { key: 'country', operator: '=', values: [word] } }
    : meaningOf(word.toLowerCase());
}

/** The one word with a meaning that differs by one typing error. */
export function correctedMeaning(word: string): Meaning | undefined {
  if (word.length < SHORTEST_CORRECTED || !/^[a-z]+$/.test(word)) return undefined;
  const similar = lexicon().words.filter((other) => typingDistance(word, other, 1) === 1);
  const meanings = similar.map((other) => meaningOf(other));
  const [first] = meanings;
  return meanings.every((each) => JSON.stringify(each) === JSON.stringify(first))
    ? first
    : undefined;
}

/** Cuts Chinese text, which has no spaces, into the longest phrases with a meaning and the rest. */
export function cutHan(text: string): string[] {
  const { meanings, longestHan } = lexicon();
  const pieces: string[] = [];
  let rest = '';
  for (let at = 0; at < text.length;) {
    let length = Math.min(longestHan, text.length - at);
    while (length > 0 && !meanings.has(text.slice(at, at + length))) length -= 1;
    if (length === 0) {
      rest += text[at] ?? '';
      at += 1;
      continue;
    }
    if (rest !== '') pieces.push(rest);
    rest = '';
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return rest === '' ? pieces : [...pieces, rest];
}
