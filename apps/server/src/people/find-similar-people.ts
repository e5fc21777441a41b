import { holds } from '@deviceportal/contract/permissions';
import { searchScores, type SearchHit } from '@deviceportal/contract/search';
import { typingDistance } from '@deviceportal/contract/typing-distance';
import type { Database } from '../platform/database/database.ts';
import { folded, foldedWrittenOut } from '../platform/text/folded.ts';
import { bestFirst } from '../platform/text/match-score.ts';
import type { Viewer } from '../platform/viewer.ts';
import {
  formsOfPeople,
  formsOfWords,
  formsQuery,
  peopleByForms,
  SOUND,
} from './data/person-forms.ts';
import type { FoundPerson } from './data/person-search-queries.ts';
import { firstVisible } from './data/visible-people.ts';
import { nameWords } from './name-words.ts';
import { personHit } from './person-hit.ts';

/** Number of people that are ranked. */
const RANKED = 1_000;
/** Two letters sound like too many names. */
const SHORTEST_BY_SOUND = 3;
/** A word that sounds alike but is written differently counts as this similar at most. */
const SOUND_ONLY = 0.3;
const TOO_DIFFERENT = 0.2;

export interface SimilarPeopleRequest {
  readonly text: string;
  /** Existing words by a typed word that they may stand for. */
  readonly corrections: ReadonlyMap<string, readonly string[]>;
  readonly limit: number;
}

/** People whose names sound like the text or are spelled similarly, in any order of the words. */
export async function findSimilarPeople(
  deps: { readonly database: Database },
  viewer: Viewer,
  { text, corrections, limit }: SimilarPeopleRequest,
): Promise<SearchHit[]> {
  if (!holds(viewer.grants, 'people:read') || text.includes('@')) return [];
  const words = nameWords(text);
  if (!words.some((word) => /\p{L}{3}|\p{Script=Han}/u.test(word))) return [];
  const on = deps.database.orm;
  const stored = await formsOfWords(on, words);
  const wanted = words.map((word) => {
    const sounds = (stored.get(word) ?? []).filter(
      (form) => !form.startsWith(SOUND) || word.length >= SHORTEST_BY_SOUND,
    );
    const forms = [word, folded(word), foldedWrittenOut(word), ...sounds];
    return [...new Set([...forms, ...(corrections.get(word) ?? []).map(folded)])];
  });
  const where = formsQuery(wanted.map((forms) => forms.map((form) => ({ form }))));
  const people = await peopleByForms(on, { where, limit: RANKED });
  const similarityOf = similarityTo(words);
  const scored = people.flatMap((person) => {
    const similarity = similarityOf(person);
    const score =
      searchScores.mended + similarity * (searchScores.contains - searchScores.mended - 1);
    return similarity < TOO_DIFFERENT ? [] : [{ person, id: person.id, score }];
  });
  const ranked = bestFirst(scored, scored.length);
  const visible = await firstVisible(on, viewer, { people: ranked, limit });
  const forms = await formsOfPeople(
    on,
    visible.map(({ id }) => id),
  );
  return visible.map(({ person, id, score }) =>
    personHit(person, score, whyOf(words, stored, forms.get(id) ?? [])),
  );
}

/**
 * From 0 to 1: how similar the typed words are to the most similar words of a name, on average. Each word is compared
 * once, because people who sound alike share most words of their names.
 */
function similarityTo(
  words: readonly string[],
): (person: Pick<FoundPerson, 'name' | 'username'>) => number {
  const typed = words.map(folded);
  const known = new Map<string, readonly number[]>();
  const likenessesOf = (part: string): readonly number[] => {
    const found = known.get(part) ?? typed.map((word) => likeness(word, folded(part)));
    known.set(part, found);
    return found;
  };
  return ({ name, username }) => {
    const parts = nameWords(`${name} ${username}`).map(likenessesOf);
    const total = typed.reduce(
      (sum, _, at) => sum + Math.max(SOUND_ONLY, ...parts.map((part) => part[at] ?? 0)),
      0,
    );
    const unmatched = Math.max(0, nameWords(name).length - words.length);
    return Math.max(0, total / words.length - unmatched * 0.05);
  };
}

const FARTHEST = 3;

function likeness(word: string, part: string): number {
  const distance = typingDistance(word, part, FARTHEST);
  if (distance > FARTHEST) return 0;
  const sameStart = word[0] === part[0] ? 0.05 : 0;
  return distance === 0 ? 1 : Math.max(0, 0.9 + sameStart - distance / Math.max(word.length, 3));
}

/** A similar spelling if each word is in the name with at most one typing error, or sounds different. */
function whyOf(
  words: readonly string[],
  stored: ReadonlyMap<string, readonly string[]>,
  forms: readonly string[],
): 'sounds-like' | 'similar-spelling' {
  const isSpelled = words.every((word) => {
    const sounds = (stored.get(word) ?? []).filter((form) => form.startsWith(SOUND));
    return (
      forms.includes(folded(word)) ||
      (/^\p{Script=Latin}/u.test(word) &&
        forms.some((form) => typingDistance(folded(word), form, 1) <= 1)) ||
      (sounds.length > 0 && !sounds.some((form) => forms.includes(form)))
    );
  });
  return isSpelled ? 'similar-spelling' : 'sounds-like';
}
