import type { SQL } from 'drizzle-orm';
import { holds } from '@deviceportal/contract/permissions';
import { searchScores, type SearchHit } from '@deviceportal/contract/search';
import type { Database } from '../platform/database/database.ts';
import { folded, foldedWrittenOut } from '../platform/text/folded.ts';
import { bestFirst, matchScore, wordsOf } from '../platform/text/match-score.ts';
import type { Viewer } from '../platform/viewer.ts';
import {
  emailBegins,
  hasPersonId,
  hasUsername,
  nameBegins,
  phoneBegins,
} from './data/person-conditions.ts';
import { formsQuery } from './data/person-forms.ts';
import {
  findNamedPeople,
  type FoundPerson,
  type PersonConditions,
} from './data/person-search-queries.ts';
import { seesAllPeople } from './data/person-visibility.ts';
import { firstVisible } from './data/visible-people.ts';
import { nameWords } from './name-words.ts';
import { personHit } from './person-hit.ts';

/** Number of people for each condition that are ranked. */
const RANKED = 200;
/** For a viewer who sees too few of the first ones. */
const RANKED_WITHIN_SCOPE = 1_000;
const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const phoneShape = /^[+(]?[\d\s().-]{5,24}$/;
const SHORTEST_FORM = 2;
const isHan = (text: string): boolean => /\p{Script=Han}/u.test(text);
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
  const on = deps.database.orm;
  const conditions = {
    exact: exactConditions(text),
    vague: containedWords(text),
    forms: formConditions(text),
  };
  const typed = { text, words: nameWords(text) };
  const find = async (most: number) => {
    const { people, isComplete } = await findNamedPeople(on, conditions, most);
    const ranked = ranking(people, typed);
    const visible = await firstVisible(on, viewer, { people: ranked, limit });
    return { visible, isComplete };
  };
  const first = await find(RANKED);
  const isEnough = first.isComplete || first.visible.length >= limit || seesAllPeople(viewer);
  const { visible } = isEnough ? first : await find(RANKED_WITHIN_SCOPE);
  return visible.map(({ person, score }) => personHit(person, score));
}

function ranking(people: readonly FoundPerson[], typed: Typed) {
  const scored = people.map((person) => ({ person, id: person.id, score: scoreOf(person, typed) }));
  return bestFirst(scored, scored.length);
}

/** Each uses its own index: "example" and "com" are in every trigram list. */
function exactConditions(text: string): SQL[] {
  if (uuidShape.test(text)) return [hasPersonId(text)];
  if (isEmail(text)) return [emailBegins(text)];
  const conditions = [emailBegins(text), ...beginsName(text), hasUsername(text)];
  return phoneShape.test(text) ? [...conditions, byInternationalPhone(text)] : conditions;
}

/** Words to be found together by the trigrams of all searchable data. */
function containedWords(text: string): (readonly string[])[] {
  if (uuidShape.test(text) || isEmail(text) || isInternational(text)) return [];
  const words = wordsOf(text).filter((word) => word.length >= SHORTEST_INDEXED);
  const phones = phoneShape.test(text) ? ownNumbers(text) : [];
  // One scan is enough for digits without a leading zero.
  const isSame = words.length === 1 && words[0] === phones[0]?.[0];
  return words.length === 0 || isSame ? phones : [...phones, words];
}

/**
 * By the forms of the words: in any order, without accents, with umlauts written out, and in pinyin. The last of several
 * words can be incomplete.
 */
function formConditions(text: string): PersonConditions['forms'] {
  if (uuidShape.test(text) || text.includes('@') || /^[\d\s+().-]+$/.test(text)) return [];
  const words = nameWords(text);
  if (!words.some((word) => word.length >= SHORTEST_FORM || isHan(word))) return [];
  const where = formsQuery(
    words.map((word, at) => {
      const isBeginning =
        words.length > 1 && at === words.length - 1 && word.length >= SHORTEST_INDEXED;
      return [...new Set([word, folded(word), foldedWrittenOut(word)])].map((form) => ({
        form,
        isBeginning,
      }));
    }),
  );
  return [{ where, marked: formsQuery([[{ form: words.map(folded).join('') }]]) }];
}

/** As typed, and capitalized: two characters are too short for trigrams, and can be a complete name in Chinese. */
function beginsName(text: string): SQL[] {
  const capital = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return [...new Set([text, capital])].map(nameBegins);
}

const isEmail = (text: string): boolean => /^[^\s@]+@/.test(text);

/** Found by its own index: the trigrams of phone numbers are those of most people. */
const isInternational = (text: string): boolean => text.startsWith('+') && phoneShape.test(text);

/** As stored, with the country code. */
const byInternationalPhone = (text: string): SQL => phoneBegins(internationalDigits(text));

/** Digits with the country code, without `+` or the prefix 00. */
const internationalDigits = (phone: string): string =>
  phone.replaceAll(/\D/g, '').replace(/^00/, '');

/** Of a phone number in national format: with a leading 0 instead of the country code. */
function ownNumbers(text: string): string[][] {
  const own = text.replaceAll(/\D/g, '').replace(/^0+/, '');
  return own.length >= SHORTEST_OWN_NUMBER ? [[own]] : [];
}

interface Typed {
  readonly text: string;
  readonly words: readonly string[];
}

function scoreOf(row: FoundPerson, typed: Typed): number {
  const { text } = typed;
  const isPhone = phoneShape.test(text);
  if (isPhone && row.phone === `+${internationalDigits(text)}`) return searchScores.exact;
  const names = [row.name, row.email, row.username, row.phone, row.id];
  const asTyped = matchScore(names, isPhone ? `+${internationalDigits(text)}` : text);
  if (row.byForm === null) return asTyped;
  return Math.max(asTyped, scoreWithoutAccents(row, typed));
}

/** Below the score of the same match with accents. All words of the whole name, in another order, are nearly exact. */
function scoreWithoutAccents(
  { name, username, byForm }: FoundPerson,
  { text, words }: Typed,
): number {
  const parts = words.length > 1 ? nameWords(name) : [];
  const isWhole =
    parts.length > 0 &&
    words.length === parts.length &&
    words.every((word) => parts.some((part) => folded(part) === folded(word)));
  if (isWhole) return searchScores.exact - 6;
  if (isHan(name) && byForm === 'reading') return searchScores.exact - 8;
  return matchScore([folded(name), username], folded(text)) - 1;
}
