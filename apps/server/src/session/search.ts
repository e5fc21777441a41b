import { sql } from 'drizzle-orm';
import type { SearchHit } from '@deviceportal/contract/session';
import { holds } from '@deviceportal/contract/permissions';
import type { Database } from '../platform/database/database.ts';
import { personSightOf } from '../people/person-sight.ts';
import type { Viewer } from '../platform/viewer.ts';

const idShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HITS_PER_KIND = 6;

export interface SearchDependencies {
  readonly database: Database;
  /** The device list's own search, so that scope and ranking are the same everywhere. */
  readonly findDevices: (
    viewer: Viewer,
    text: string,
    limit: number,
  ) => Promise<readonly SearchHit[]>;
}

/** Full-width characters become ASCII, an `SN` in front of a serial number goes. */
export function normaliseSearchText(text: string): string {
  return text
    .normalize('NFKC')
    .trim()
    .replace(/^SN[\s:#-]+/i, '');
}

/** Everything a pasted or typed text may mean, exact hits first, within the viewer's rights. */
export async function search(
  { database, findDevices }: SearchDependencies,
  viewer: Viewer,
  rawText: string,
): Promise<SearchHit[]> {
  const text = normaliseSearchText(rawText);
  if (text === '') return [];
  const groups = await Promise.all([
    holds(viewer.grants, 'devices:read') ? findDevices(viewer, text, HITS_PER_KIND) : [],
    holds(viewer.grants, 'people:read') ? findPeople(database, viewer, text) : [],
    holds(viewer.grants, 'documents:read') ? findDocuments(database, text) : [],
  ]);
  return groups.flat().toSorted((left, right) => Number(right.exact) - Number(left.exact));
}

async function findPeople(database: Database, viewer: Viewer, text: string): Promise<SearchHit[]> {
  if (text.length < 3) return [];
  const { rows } = await database.orm.execute<{
    id: string;
    name: string;
    detail: string;
    exact: boolean;
  }>(sql`
    select id, name, coalesce(email, phone, username) as detail,
           (lower(email) = lower(${text}) or phone = ${text} or lower(name) = lower(${text})) is true as exact
    from person p
    where ${personSightOf(viewer).named} and ${
      idShape.test(text)
        ? sql`id = ${text}::uuid`
        : sql`lower(name || ' ' || username || ' ' || coalesce(email, '') || ' ' || coalesce(phone, ''))
              like '%' || ${escapeLike(text.toLowerCase())} || '%'`
    }
    limit ${HITS_PER_KIND}`);
  return rows.map((row) => ({
    kind: 'person',
    id: row.id,
    label: row.name,
    detail: row.detail,
    exact: row.exact,
  }));
}

async function findDocuments(database: Database, text: string): Promise<SearchHit[]> {
  const { rows } = await database.orm.execute<{ name: string; description: string }>(sql`
    select name, description from document
    where lower(name) like '%' || ${escapeLike(text.toLowerCase())} || '%'
    order by name limit ${HITS_PER_KIND}`);
  return rows.map((row) => ({
    kind: 'document',
    id: row.name,
    label: row.name,
    detail: row.description,
    exact: row.name.toLowerCase() === text.toLowerCase(),
  }));
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}
