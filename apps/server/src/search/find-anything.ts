import {
  searchKinds,
  searchScores,
  type FindInput,
  type SearchAnswer,
  type SearchGroup,
  type SearchHit,
  type SearchKind,
} from '@deviceportal/contract/search';
import type { Database } from '../platform/database/database.ts';
import { bestFirst, wordsOf } from '../platform/text/match-score.ts';
import type { Viewer } from '../platform/viewer.ts';
import { correctedTexts, correctorOf, type Corrections } from './correct-typos.ts';
import { finderOfTexts, type Finders } from './finders-of-texts.ts';
import { isRequestWord } from './intents/read-intent.ts';
import { isIdentifier, looksLikeSerialNumber, normalizeSearchText } from './search-text.ts';
import { suggest, type SuggestDeps, type Suggested } from './suggest.ts';
import { mailboxVariants, typingVariants } from './typing-errors.ts';

export interface SearchDeps extends Finders {
  readonly database: Database;
  readonly findBySerialNumbers: (
    viewer: Viewer,
    wanted: { readonly serialNumbers: readonly string[]; readonly limit: number },
  ) => Promise<readonly SearchHit[]>;
  readonly findByHostNames: (
    viewer: Viewer,
    wanted: { readonly names: readonly string[]; readonly limit: number },
  ) => Promise<readonly SearchHit[]>;
  readonly findSimilarPeople: (
    viewer: Viewer,
    wanted: {
      readonly text: string;
      readonly corrections: ReadonlyMap<string, readonly string[]>;
      readonly limit: number;
    },
  ) => Promise<readonly SearchHit[]>;
  readonly findPeopleByMailbox: (
    viewer: Viewer,
    wanted: {
      readonly text: string;
      readonly variantsOf: (mailbox: string) => readonly string[];
      readonly limit: number;
    },
  ) => Promise<readonly SearchHit[]>;
  readonly suggestions: SuggestDeps;
}

/** With what is looked up once in a search. */
interface SearchSteps extends SearchDeps {
  readonly correct: (text: string) => Promise<Corrections>;
}

interface Search {
  readonly text: string;
  readonly wanted: readonly SearchKind[];
}

interface Found {
  readonly hits: readonly SearchHit[];
  /** The text that was searched, to highlight its words. */
  readonly text: string;
  readonly mended: string | null;
}

const SHOWN = 6;
/** Descending; scores within one tier are treated as equal. */
const tiers = [90, 70, 50, 30, 0];
const nothing: SearchAnswer = {
  suggestions: [],
  suggestionsLead: false,
  groups: [],
  mended: null,
  words: [],
};
const noSuggestions: Suggested = { suggestions: [], devices: [], isWhole: false };

/**
 * What a text asks for, and everything that it may refer to, exact hits first. Without results, the search is forgiving:
 * serial numbers, email addresses, and names with typing errors, names that sound alike, then word by word.
 * @param signal aborts the search; the result is then empty
 */
export async function findAnything(
  all: SearchDeps,
  viewer: Viewer,
  request: { readonly input: FindInput; readonly signal?: AbortSignal | undefined },
): Promise<SearchAnswer> {
  const text = normalizeSearchText(request.input.text);
  const wanted = request.input.kinds.length === 0 ? searchKinds : request.input.kinds;
  if (text === '') return nothing;
  const isAborted = (): boolean => request.signal?.aborted === true;
  const search = { text, wanted };
  const deps = { ...all, correct: correctorOf(all.database.orm, isRequestWord) };
  const [asTyped, suggested] = await Promise.all([
    findAsTyped(deps, viewer, search),
    suggestFor(deps, viewer, { ...request.input, text, corrects: false }),
  ]);
  if (asTyped.length > 0 || suggested.isWhole || isIdentifier(text)) {
    return answerOf({ hits: asTyped, text, mended: null }, suggested);
  }
  if (isAborted()) return nothing;
  const corrected = await suggestFor(deps, viewer, { ...request.input, text, corrects: true });
  const asked = { hits: [], text, mended: null };
  if (corrected.isWhole) return answerOf(asked, corrected);
  if (isAborted()) return nothing;
  const found = await findForgiving(deps, viewer, { ...search, isAborted });
  if (isAborted()) return nothing;
  if (found !== undefined) return answerOf(found, suggested);
  return answerOf(asked, suggested.suggestions.length > 0 ? suggested : corrected);
}

/** With a limit to certain kinds, a text is a name of one of them. */
async function suggestFor(
  deps: SearchSteps,
  viewer: Viewer,
  request: Pick<FindInput, 'text' | 'kinds'> & { readonly corrects: boolean },
): Promise<Suggested> {
  if (request.kinds.length > 0) return noSuggestions;
  return suggest(deps.suggestions, viewer, {
    ...request,
    findDevices: (name) => findNamedDevices(deps, viewer, name),
  });
}

/** The devices that a text names, as typed or with typing errors. */
async function findNamedDevices(
  deps: SearchSteps,
  viewer: Viewer,
  text: string,
): Promise<readonly SearchHit[]> {
  const search = { text, wanted: ['device'] } as const;
  const asTyped = await findAsTyped(deps, viewer, search);
  if (asTyped.length > 0) return bestFirst(asTyped, SHOWN);
  const [serials, corrections] = await Promise.all([
    findCorrectedSerials(deps, viewer, text),
    deps.correct(text),
  ]);
  if (serials.length > 0) return serials;
  return (await findCorrected(deps, viewer, { ...search, corrections }))?.hits ?? [];
}

async function findForgiving(
  deps: SearchSteps,
  viewer: Viewer,
  { text, wanted, isAborted }: Search & { readonly isAborted: () => boolean },
): Promise<Found | undefined> {
  const isAddress = text.includes('@');
  const [serials, found] = await Promise.all([
    wanted.includes('device') ? findCorrectedSerials(deps, viewer, text) : [],
    isAddress ? undefined : deps.correct(text),
  ]);
  const [best] = serials;
  if (best !== undefined) {
    return { hits: serials, text: best.label, mended: serials.length > 1 ? null : best.label };
  }
  const limit = SHOWN + 1;
  const seeksPeople = wanted.includes('person');
  if (seeksPeople && isAddress) {
    const wantedMailbox = { text, variantsOf: mailboxVariants, limit };
    const people = await deps.findPeopleByMailbox(viewer, wantedMailbox);
    if (people.length > 0) return { hits: people, text, mended: null };
  }
  if (isAborted()) return undefined;
  const corrections = found ?? (await deps.correct(text));
  if (seeksPeople) {
    const words = new Map([...corrections].map(([word, each]) => [word, each.words]));
    const people = await deps.findSimilarPeople(viewer, { text, corrections: words, limit });
    if (people.length > 0) return { hits: people, text, mended: null };
  }
  if (isAborted()) return undefined;
  return findCorrected(deps, viewer, { text, wanted, corrections });
}

/**
 * As typed, but with existing words instead of unknown ones. What contains a text contains its words, so only texts whose
 * words are found are searched as a whole. The most likely text is usually found; if it is not, the others are searched
 * at the same time.
 */
async function findCorrected(
  deps: SearchDeps,
  viewer: Viewer,
  { text, wanted, corrections }: Search & { readonly corrections: Corrections },
): Promise<Found | undefined> {
  const corrected = correctedTexts(text, corrections);
  const words = separated(text);
  const apart = words === text ? [] : [words];
  const texts = [...corrected.flatMap((form) => [separated(form), form]), ...apart];
  const find = finderOfTexts(deps, viewer, { texts, wanted, limit: SHOWN + 1 });
  const findForm = async (form: string): Promise<Found | undefined> => {
    const byWords = await find(separated(form));
    if (byWords.length === 0) return undefined;
    const whole = form === separated(form) ? [] : await find(form);
    return whole.length > 0 ? foundAs(form, whole) : foundAs(separated(form), byWords);
  };
  const [likeliest, ...others] = corrected;
  const first = likeliest === undefined ? undefined : await findForm(likeliest);
  if (first !== undefined) return first;
  const [ofOthers, hosts, hits] = await Promise.all([
    Promise.all(others.map(findForm)),
    wanted.includes('device') ? findCorrectedHost(deps, viewer, corrected) : [],
    Promise.all(apart.map(find)),
  ]);
  const [host] = hosts;
  const ways = [
    ...ofOthers,
    host === undefined ? undefined : foundAs(host.label, hosts),
    ...hits.map((found) => (found.length === 0 ? undefined : foundAs(words, found))),
  ];
  return ways.find((way) => way !== undefined);
}

const foundAs = (text: string, hits: readonly SearchHit[]): Found => ({
  hits: hits.map(lessThanExact),
  text,
  mended: text,
});

/** Host names are only found as a whole. */
async function findCorrectedHost(
  { findByHostNames }: SearchDeps,
  viewer: Viewer,
  texts: readonly string[],
): Promise<readonly SearchHit[]> {
  const names = texts.filter((text) => !text.includes(' '));
  return names.length === 0 ? [] : findByHostNames(viewer, { names, limit: SHOWN + 1 });
}

/** `locker köln 151` for `locker_köln_151`: the words of a name, whichever characters separate them. */
const separated = (text: string): string =>
  text.includes('@') ? text : text.replaceAll(/[-_/.\s]+/g, ' ').trim();

const findAsTyped = (
  deps: SearchDeps,
  viewer: Viewer,
  { text, wanted }: Search,
): Promise<SearchHit[]> =>
  finderOfTexts(deps, viewer, { texts: [text], wanted, limit: SHOWN + 1 })(text);

/** Serial numbers at edit distance 1, most likely typo first. */
async function findCorrectedSerials(
  { findBySerialNumbers }: SearchDeps,
  viewer: Viewer,
  text: string,
): Promise<readonly SearchHit[]> {
  if (!looksLikeSerialNumber(text)) return [];
  const variants = typingVariants(text.toLowerCase()).toSorted(
    (one, other) => other.likelihood - one.likelihood,
  );
  const serialNumbers = variants.map(({ word }) => word.toUpperCase());
  return findBySerialNumbers(viewer, { serialNumbers, limit: SHOWN + 1 });
}

/** The found text was not typed: Enter must not open it like an exact match. */
function lessThanExact(hit: SearchHit): SearchHit {
  return { ...hit, score: Math.min(hit.score, searchScores.exact - 1) };
}

/** Kinds are ordered by the tier of their best hit, not by the exact score. */
function tierOf(score: number): number {
  return tiers.length - tiers.findIndex((lowest) => score >= lowest);
}

function answerOf({ hits, text, mended }: Found, suggested: Suggested): SearchAnswer {
  const all = [
    ...hits,
    ...suggested.devices.filter(({ id }) => !hits.some((hit) => hit.id === id)),
  ];
  const groups = searchKinds.flatMap((kind): SearchGroup[] => {
    const ofKind = all.filter((hit) => hit.kind === kind);
    if (ofKind.length === 0) return [];
    return [{ kind, hits: bestFirst(ofKind, SHOWN), more: ofKind.length > SHOWN }];
  });
  const best = (group: SearchGroup): number => tierOf(group.hits[0]?.score ?? 0);
  const highest = Math.max(0, ...hits.map(({ score }) => score));
  return {
    suggestions: suggested.suggestions,
    // A country can be the name of a person.
    suggestionsLead:
      highest < (suggested.isWhole ? searchScores.exact - 3 : searchScores.wordBegins),
    groups: groups.toSorted((one, other) => best(other) - best(one)),
    mended,
    words: wordsOf(text),
  };
}
