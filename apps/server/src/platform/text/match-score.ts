import { searchScores } from '@deviceportal/contract/search';

const FIELD_STEP = 2;

/** The words of a text, lower case, as search compares them. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/**
 * How well a thing fits a text, by what it is called: see `searchScores`.
 *
 * @param names the most telling first; a match in a later one counts a little less
 */
export function matchScore(names: readonly (string | null | undefined)[], text: string): number {
  const wanted = text.toLowerCase();
  const lower = names.map((name) => name?.toLowerCase() ?? '');
  const equal = lower.indexOf(wanted);
  if (equal >= 0) return searchScores.exact - equal;
  const beginning = lower.findIndex((name) => name.startsWith(wanted));
  if (beginning >= 0) return searchScores.begins - beginning * FIELD_STEP;
  const parts = lower.join(' ').split(/[\s._@/:-]+/);
  const words = wordsOf(wanted);
  const begun = words.every((word) => parts.some((part) => part.startsWith(word)));
  return begun ? searchScores.wordBegins : searchScores.contains;
}

/** The best first; of equals the one that was found first. */
export function bestFirst<Hit extends { readonly score: number }>(
  hits: readonly Hit[],
  limit: number,
): Hit[] {
  return hits.toSorted((one, other) => other.score - one.score).slice(0, limit);
}
