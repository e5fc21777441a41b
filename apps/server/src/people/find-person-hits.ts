import type { SQL } from 'drizzle-orm';
import { holds } from '@deviceportal/contract/permissions';
import { searchScores, type SearchHit } from '@deviceportal/contract/search';
import type { Database } from '../platform/database/database.ts';
import { bestFirst, matchScore, wordsOf } from '../platform/text/match-score.ts';
import type { Viewer } from '../platform/viewer.ts';
import {
  containsWord,
  containsWords,
  emailBegins,
  hasPersonId,
  hasUsername,
  nameBegins,
  phoneBegins,
} from './data/person-conditions.ts';
import { findNamedPeople } from './data/person-search-queries.ts';

type FoundPerson = Awaited<ReturnType<typeof findNamedPeople>>[number];

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const phoneShape = /^[+(]?[\d\s().-]{5,24}$/;
/** Trigrams need three characters. */
const SHORTEST_INDEXED = 3;
const SHORTEST_OWN_NUMBER = 5;

/** People that a text may mean, by e-mail, phone, user name or name; only those whom the viewer sees by name. */
export async function findPersonHits(
  deps: { readonly database: Database },
  viewer: Viewer,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<SearchHit[]> {
  if (!holds(viewer.grants, 'people:read')) return [];
  const people = await findNamedPeople(deps.database.orm, viewer, {
    exact: exactWays(text),
    vague: wordWays(text),
  });
  return bestFirst(
    people.map((person) => toHit(person, text)),
    limit,
  );
}

/** Each through an index of its own: "example" and "com" are in every trigram list. */
function exactWays(text: string): SQL[] {
  if (uuidShape.test(text)) return [hasPersonId(text)];
  if (isEmail(text)) return [emailBegins(text)];
  const ways = [emailBegins(text), ...beginsName(text), hasUsername(text)];
  return phoneShape.test(text) ? [...ways, byDialledPhone(text)] : ways;
}

/** Through the trigrams of everything that a person is called. */
function wordWays(text: string): SQL[] {
  if (uuidShape.test(text) || isEmail(text)) return [];
  const words = containsWords(wordsOf(text).filter((word) => word.length >= SHORTEST_INDEXED));
  const phones = phoneShape.test(text) ? byPhoneAtHome(text) : [];
  return words === undefined ? phones : [...phones, words];
}

/** As it was typed, and with a capital: two letters are too short for trigrams, and in Chinese they are a whole name. */
function beginsName(text: string): SQL[] {
  const capital = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return [...new Set([text, capital])].map(nameBegins);
}

const isEmail = (text: string): boolean => /^[^\s@]+@/.test(text);

/** As it is kept, with the country's code. */
const byDialledPhone = (text: string): SQL =>
  phoneBegins(text.replaceAll(/\D/g, '').replace(/^00/, ''));

/** As people say it in its own country: with a 0 in front instead of the country's code. */
function byPhoneAtHome(text: string): SQL[] {
  const own = text.replaceAll(/\D/g, '').replace(/^0+/, '');
  return own.length >= SHORTEST_OWN_NUMBER ? [containsWord(own)] : [];
}

function toHit(row: FoundPerson, text: string): SearchHit {
  const isPhone = phoneShape.test(text);
  const phone = isPhone ? `+${text.replaceAll(/\D/g, '')}` : text;
  const score =
    isPhone && row.phone === phone
      ? searchScores.exact
      : matchScore([row.name, row.email, row.username, row.phone, row.id], text);
  return {
    kind: 'person',
    id: row.id,
    label: row.name,
    detail: [row.email, row.phone].filter(Boolean).join(' · ') || row.username,
    score,
    state: null,
    at: null,
  };
}
