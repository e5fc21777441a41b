import { personLabel } from '@deviceportal/contract/people';
import type { CaseRow } from '@deviceportal/contract/cases';
import { holds } from '@deviceportal/contract/permissions';
import { searchScores, type SearchHit } from '@deviceportal/contract/search';
import type { Database, Executor } from '../platform/database/database.ts';
import { bestFirst, matchScore } from '../platform/text/match-score.ts';
import type { Viewer } from '../platform/viewer.ts';
import { caseRow } from './case-row.ts';
import type { CaseFilter } from './data/case-conditions.ts';
import { hasTicket, selectCases } from './data/case-queries.ts';

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LONGEST_TICKET = 100;
/** Maximum number of matching people whose cases are found as well. */
const PEOPLE = 5;

interface Wanted {
  readonly text: string;
  readonly limit: number;
  /** The people that the text matches, best first. */
  readonly people: Promise<readonly SearchHit[]>;
}

/** Cases by ticket or ID, and the newest cases of matching people, ranked below these people. */
export async function findCaseHits(
  deps: { readonly database: Database },
  viewer: Viewer,
  wanted: Wanted,
): Promise<SearchHit[]> {
  if (!holds(viewer.grants, 'cases:read') && !holds(viewer.grants, 'cases:manage')) return [];
  const find = async (filter: CaseFilter): Promise<CaseRow[]> => {
    const found = await selectCases(deps.database.orm, viewer, filter, {
      limit: wanted.limit,
    });
    return found.map((stored) => caseRow(stored, viewer));
  };
  const [named, ofPeople] = await Promise.all([
    findNamed(deps.database.orm, wanted.text, find),
    wanted.people.then((people) => findOfPeople(people, find)),
  ]);
  const found = new Map([...ofPeople, ...named.map((row) => byTicket(row, wanted.text))]);
  return bestFirst([...found.values()], wanted.limit);
}

function byName(text: string): CaseFilter | null {
  if (uuidShape.test(text)) return { id: text };
  return text.length > LONGEST_TICKET ? null : { ticket: text };
}

/** Most texts are no ticket, which a look-up in its index says faster than planning the whole query. */
async function findNamed(
  on: Executor,
  text: string,
  find: (filter: CaseFilter) => Promise<CaseRow[]>,
): Promise<CaseRow[]> {
  const filter = byName(text);
  if (filter === null) return [];
  if (filter.ticket !== undefined && !(await hasTicket(on, filter.ticket))) return [];
  return find(filter);
}

async function findOfPeople(
  people: readonly SearchHit[],
  find: (filter: CaseFilter) => Promise<CaseRow[]>,
): Promise<[string, SearchHit][]> {
  if (people.length === 0) return [];
  const scores = new Map(people.slice(0, PEOPLE).map(({ id, score }) => [id, score]));
  const cases = await find({ personIds: [...scores.keys()] });
  return cases.map((row) => [row.id, hitOf(row, (scores.get(row.person.id) ?? 0) - 1)]);
}

const byTicket = (row: CaseRow, text: string): [string, SearchHit] => [
  row.id,
  hitOf(row, uuidShape.test(text) ? searchScores.exact : matchScore([row.ticket], text)),
];

function hitOf(row: CaseRow, score: number): SearchHit {
  return {
    kind: 'case',
    id: row.id,
    label: row.ticket === '' ? personLabel(row.person) : row.ticket,
    detail: [row.ticket === '' ? '' : personLabel(row.person), row.about]
      .filter(Boolean)
      .join(' · '),
    score,
    state: row.state,
    at: row.openedAt,
  };
}
