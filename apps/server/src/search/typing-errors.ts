/** A possible correction of a word, and the probability of that typo: 0 to 1. */
export interface Variant {
  readonly word: string;
  readonly likelihood: number;
}

const asciiLetters = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
/** Accented letters that are often typed without the accent. */
const accented = 'äöüßéèêëáàâãåçñíìîïóòôõøúùûýæœšžčćęąłńśźż';
/** Pairs of characters that are easily confused when read or heard. */
const confusable = new Set(
  [
    '0o',
    '0d',
    '0q',
    '1i',
    '1l',
    'il',
    '5s',
    '8b',
    '2z',
    '6g',
    '6b',
    '9g',
    '4a',
    '7t',
    '7l',
    'uv',
    'mn',
    'ck',
    'sz',
    'vw',
    'iy',
  ].flatMap((pair) => [pair, [...pair].toReversed().join('')]),
);
const withoutAccent = (letter: string): string => letter.normalize('NFD').replaceAll(/\p{M}/gu, '');
const plainLetters = new Map([...accented].map((letter) => [letter, withoutAccent(letter)]));
const plainOf = (letter: string): string => plainLetters.get(letter) ?? letter;

const TRANSPOSED = 0.95;
const CONFUSED = 0.95;
const ACCENT = 1;
const LEFT_OUT = 0.85;
const DOUBLED = 0.9;
const TOO_MANY = 0.85;
const OTHER_LETTER = 0.7;
/** Factor for an error in the first character, which is rare. */
const FIRST_CHARACTER = 0.8;

const alphabetOf = (word: string): string =>
  /[0-9]/.test(word) ? `${asciiLetters}${digits}-` : asciiLetters + accented;

/**
 * Every word at edit distance 1 from a lower-case word: two characters swapped, one wrong, missing, or extra. At most
 * about 75 for each character, so that all can be looked up in an index with one statement.
 */
export function typingVariants(word: string, alphabet = alphabetOf(word)): Variant[] {
  const characters = [...word];
  const others = [...alphabet];
  const found = new Map<string, number>();
  const add = (variant: string, likelihood: number, at: number): void => {
    const weighed = at === 0 ? likelihood * FIRST_CHARACTER : likelihood;
    if (variant !== word && (found.get(variant) ?? 0) < weighed) found.set(variant, weighed);
  };
  characters.forEach((character, at) => {
    const before = characters.slice(0, at).join('');
    const after = characters.slice(at + 1).join('');
    const next = characters[at + 1];
    if (next !== undefined) {
      add(before + next + character + characters.slice(at + 2).join(''), TRANSPOSED, at);
    }
    add(before + after, next === character ? DOUBLED : TOO_MANY, at);
    for (const other of others) {
      add(before + other + after, replaced(character, other), at);
      add(before + other + character + after, other === character ? DOUBLED : LEFT_OUT, at);
    }
  });
  for (const other of others) add(word + other, LEFT_OUT, characters.length);
  return [...found].map(([variant, likelihood]) => ({ word: variant, likelihood }));
}

/** Spellings of the local part of an email address, which has no accents, most likely first. */
export const mailboxVariants = (mailbox: string): string[] =>
  typingVariants(mailbox, `${asciiLetters}${digits}+`)
    .toSorted((one, other) => other.likelihood - one.likelihood)
    .map(({ word }) => word);

function replaced(typed: string, meant: string): number {
  if (plainOf(meant) === plainOf(typed)) return ACCENT;
  return confusable.has(typed + meant) ? CONFUSED : OTHER_LETTER;
}
