import { and, asc, sql, type SQL } from 'drizzle-orm';
import { scopesOf } from '@deviceportal/contract/permissions';
import { countOwnedDevices } from '../../devices/data/count-owned-devices.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { person } from './people-tables.ts';
import { personSightOf } from './person-sight.ts';

export type PersonRow = Awaited<ReturnType<typeof selectPeople>>[number];

interface PeoplePage {
  /** Picks people by what they are called: only those who are shown by name are found. */
  readonly matching?: SQL | undefined;
  /** Name and id of the person before. */
  readonly after: readonly [string, string] | null;
  readonly limit: number;
  /** Needs that nobody's name is masked. */
  readonly byName: boolean;
}

/** More people than this fit no question that a person asks. */
const MATCHES_LOOKED_AT = 5_000;

/** People within the viewer's sight. */
export async function listPeoplePage(
  on: Executor,
  viewer: Viewer,
  { matching, after, limit, byName }: PeoplePage,
): Promise<PersonRow[]> {
  return selectPeople(on, viewer, {
    matching,
    where: (shown) => (after === null ? undefined : isBehind(shown, after, byName)),
    limit,
    byName,
  });
}

/** Of these people, those within the viewer's sight. */
export async function findPeople(
  on: Executor,
  viewer: Viewer,
  ids: readonly string[],
): Promise<PersonRow[]> {
  if (ids.length === 0) return [];
  return selectPeople(on, viewer, {
    where: ({ id }) => isAnyOf(id, ids),
    limit: ids.length,
    byName: false,
  });
}

type Candidates = ReturnType<typeof candidatesOf>;

async function selectPeople(
  on: Executor,
  viewer: Viewer,
  page: {
    readonly matching?: SQL | undefined;
    readonly where: (shown: Candidates) => SQL | undefined;
    readonly limit: number;
    readonly byName: boolean;
  },
) {
  const shown = candidatesOf(on, page.matching);
  const { exists, named } = personSightOf(viewer, shown.id);
  const reached = scopesOf(viewer.grants, ['people:read', 'devices:read']);
  return on
    .select({
      id: shown.id,
      username: shown.username,
      name: shown.name,
      email: shown.email,
      phone: shown.phone,
      country: shown.country,
      language: shown.language,
      createdAt: shown.createdAt,
      deviceCount: countOwnedDevices(reached, shown.id),
      named: sql<boolean>`${named}`,
    })
    .from(shown)
    .where(and(page.where(shown), exists, page.matching === undefined ? undefined : named))
    .orderBy(...(page.byName ? [asc(shown.name), asc(shown.id)] : [asc(shown.id)]))
    .limit(page.limit);
}

function candidatesOf(on: Executor, matching: SQL | undefined) {
  const all = on.select().from(person).$dynamic();
  return (matching === undefined ? all : all.where(matching).limit(MATCHES_LOOKED_AT)).as(
    'candidate',
  );
}

function isBehind(shown: Candidates, [name, id]: readonly [string, string], byName: boolean): SQL {
  return byName
    ? sql`(${shown.name}, ${shown.id}) > (${name}, ${id}::uuid)`
    : sql`${shown.id} > ${id}::uuid`;
}
