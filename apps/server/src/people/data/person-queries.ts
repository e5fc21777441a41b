import { and, asc, sql, type SQL } from 'drizzle-orm';
import { scopesOf } from '@deviceportal/contract/permissions';
import { countOwnedDevices } from '../../devices/data/count-owned-devices.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { person } from './people-tables.ts';
import { personVisibilityOf } from './person-visibility.ts';

export type PersonRow = Awaited<ReturnType<typeof selectPeople>>[number];

interface PeoplePage {
  /** Selects people by name or contact data: only people who are shown by name are found. */
  readonly matching?: SQL | undefined;
  /** Name and id of the previous person. */
  readonly after: readonly [string, string] | null;
  readonly limit: number;
  /** Requires that no name is masked. */
  readonly byName: boolean;
}

/** Maximum number of matches that are examined. */
const MAX_MATCHES = 5_000;

/** A page of the people whom the viewer may see. */
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

/** Those of these people whom the viewer may see. */
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
  const { exists, named } = personVisibilityOf(viewer, shown.id);
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
  return (matching === undefined ? all : all.where(matching).limit(MAX_MATCHES)).as('candidate');
}

function isBehind(shown: Candidates, [name, id]: readonly [string, string], byName: boolean): SQL {
  return byName
    ? sql`(${shown.name}, ${shown.id}) > (${name}, ${id}::uuid)`
    : sql`${shown.id} > ${id}::uuid`;
}
