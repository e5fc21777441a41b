import type { DeviceFilterToken } from '@deviceportal/contract/devices';
import { folded } from '../../platform/text/folded.ts';
import {
  correctedMeaning,
  cutHan,
  LONGEST_PHRASE,
  meaningOf,
  meaningOfWord,
  type Meaning,
} from './lexicon.ts';

/** A request in words: a command, filters of the device list, and what is left. */
export interface Intent {
  readonly commands: readonly string[];
  readonly tokens: readonly DeviceFilterToken[];
  /** Words without a known meaning, as typed: a device, a model, a label, a version, or a name. */
  readonly rest: readonly string[];
  /** Whether a word was read with a typing error corrected. */
  readonly isCorrected: boolean;
}

const MAX_CHARACTERS = 120;
const MAX_WORDS = 12;

/** @param corrects whether a word without a meaning can be one with a typing error */
export function readIntent(text: string, corrects: boolean): Intent {
  const words = requestWords(text);
  const commands: string[] = [];
  const tokens: DeviceFilterToken[] = [];
  const rest: string[] = [];
  let isCorrected = false;
  const take = (meaning: Meaning): void => {
    if (meaning.kind === 'filter') tokens.push(meaning.token);
    if (meaning.kind === 'command') commands.push(...meaning.commands);
  };
  for (let at = 0; at < words.length;) {
    const phrase = phraseAt(words, at);
    const word = words[at] ?? '';
    const corrected = phrase === undefined && corrects ? correctedMeaning(folded(word)) : undefined;
    if (phrase !== undefined) take(phrase.meaning);
    else if (corrected !== undefined) {
      take(corrected);
      isCorrected = true;
    } else rest.push(word);
    at += phrase?.length ?? 1;
  }
  return { commands: [...new Set(commands)], tokens: merged(tokens), rest, isCorrected };
}

/** Whether a word has a meaning for a request, so that it is not corrected to another word. */
export const isRequestWord = (word: string): boolean => meaningOf(folded(word)) !== undefined;

/** The longest phrase that begins at a word. */
function phraseAt(
  words: readonly string[],
  at: number,
): { readonly meaning: Meaning; readonly length: number } | undefined {
  for (let length = Math.min(LONGEST_PHRASE, words.length - at); length > 1; length -= 1) {
    const meaning = meaningOf(folded(words.slice(at, at + length).join(' ')));
    if (meaning !== undefined) return { meaning, length };
  }
  const word = words[at] ?? '';
  const meaning = meaningOfWord(word) ?? meaningOf(folded(word));
  return meaning === undefined ? undefined : { meaning, length: 1 };
}

/** Words at spaces and between Chinese and other characters. */
function requestWords(text: string): string[] {
  return text
    .slice(0, MAX_CHARACTERS)
    .split(
      /[\s,，、;；。!！?？]+|(?<=\p{Script=Han})(?=[^\p{Script=Han}])|(?<=[^\p{Script=Han}])(?=\p{Script=Han})/u,
    )
    .filter(Boolean)
    .flatMap((word) => (/^\p{Script=Han}+$/u.test(word) ? cutHan(word) : [word]))
    .slice(0, MAX_WORDS);
}

/** Several values of one filter are alternatives: "offline germany france". */
function merged(tokens: readonly DeviceFilterToken[]): DeviceFilterToken[] {
  const values = Map.groupBy(tokens, ({ key }) => key);
  return [...values].map(([key, ofKey]) => ({
    key,
    operator: '=' as const,
    values: [...new Set(ofKey.flatMap((token) => token.values))],
  }));
}
