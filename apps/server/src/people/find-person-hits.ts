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

/**
 * People that a text may refer to, by email, phone number, username, or name; only those whom the viewer sees by
 * name.
 */
export async function findPersonHits(
  deps: { readonly database: Database },
  viewer: Viewer,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<SearchHit[]> {
  if (!holds(viewer.grants, 'people:read')) return [];
  const people = await findNamedPeople(deps.database.orm, viewer, {
    exact: exactConditions(text),
    vague: wordConditions(text),
  });
  return bestFirst(
    people.map((person) => toHit(person, text)),
    limit,
  );
}

/** Each uses its own index: "example" and "com" are in every trigram list. */
function exactConditions(text: string): SQL[] {
  if (uuidShape.test(text)) return [hasPersonId(text)];
  if (isEmail(text)) return [emailBegins(text)];
  const conditions = [emailBegins(text), ...beginsName(text), hasUsername(text)];
  return phoneShape.test(text) ? [...conditions, byInternationalPhone(text)] : conditions;
}

/** Uses the trigrams of all searchable data. */
function wordConditions(text: string): SQL[] {
  if (uuidShape.test(text) || isEmail(text)) return [];
  const words = containsWords(wordsOf(text).filter((word) => word.length >= SHORTEST_INDEXED));
  const phones = phoneShape.test(text) ? byNationalPhone(text) : [];
  return words === undefined ? phones : [...phones, words];
}

/** As typed, and capitalized: two characters are too short for trigrams, and can be a complete name in Chinese. */
function beginsName(text: string): SQL[] {
  const capital = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return [...new Set([text, capital])].map(nameBegins);
}

const isEmail = (text: string): boolean => /^[^\s@]+@/.test(text);

/** As stored, with the country code. */
const byInternationalPhone = (text: string): SQL => phoneBegins(internationalDigits(text));

/** Digits with the country code, without `+` or the prefix 00. */
const internationalDigits = (phone: string): string =>
  phone.replaceAll(/\D/g, '').replace(/^00/, '');

/** In national format: with a leading 0 instead of the country code. */
function byNationalPhone(text: string): SQL[] {
  const own = text.replaceAll(/\D/g, '').replace(/^0+/, '');
  return own.length >= SHORTEST_OWN_NUMBER ? [containsWord(own)] : [];
}

function toHit(row: FoundPerson, text: string): SearchHit {
  const isPhone = phoneShape.test(text);
  const phone = isPhone ? `+${internationalDigits(text)}` : text;
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
