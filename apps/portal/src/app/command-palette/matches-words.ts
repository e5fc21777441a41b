import { typingDistance } from '@deviceportal/contract/typing-distance';

/** A shorter word has too many neighbours to forgive an error in it. */
const SHORTEST_FORGIVEN = 4;

/** Whether each word of a search occurs in a label, or begins one of its words but for one typing error. */
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

/** The beginning may be a character longer or shorter than what was typed of it. */
function beginsNearly(part: string, word: string): boolean {
  return [word.length - 1, word.length, word.length + 1].some(
    (length) => typingDistance(part.slice(0, length), word, 1) <= 1,
  );
}
