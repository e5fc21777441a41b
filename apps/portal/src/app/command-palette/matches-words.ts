import { typingDistance } from '@deviceportal/contract/typing-distance';

/** Characters. Shorter words are similar to too many others to allow an error. */
const SHORTEST_FORGIVEN = 4;

/**
 * Whether each word of a search occurs in a label, or is the beginning of one of its words with at
 * most one typing error.
 */
export function matchesWords(label: string, search: string): boolean {
  const lower = label.toLowerCase();
  const parts = lower.split(/[\s/_-]+/);
  return search
    .toLowerCase()
    .split(/\s+/)
    .every(
      (word) =>
        lower.includes(word) ||
        (word.length >= SHORTEST_FORGIVEN && parts.some((part) => beginsNearly(part, word))),
    );
}

/** The beginning can be one character longer or shorter than the typed text. */
function beginsNearly(part: string, word: string): boolean {
  return [word.length - 1, word.length, word.length + 1].some(
    (length) => typingDistance(part.slice(0, length), word, 1) <= 1,
  );
}
