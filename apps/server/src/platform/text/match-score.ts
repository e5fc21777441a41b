import { searchScores } from '@deviceportal/contract/search';

const FIELD_STEP = 2;

/** The words of a text in lowercase, as search compares them. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/**
 * Score of an object for a search text, by its names: see `searchScores`.
 *
 * @param names most specific first; matches of later names score slightly lower
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

/** Best score first, in original order for equal scores. */
export function bestFirst<Hit extends { readonly score: number }>(
  hits: readonly Hit[],
  limit: number,
): Hit[] {
  return hits.toSorted((one, other) => other.score - one.score).slice(0, limit);
}
