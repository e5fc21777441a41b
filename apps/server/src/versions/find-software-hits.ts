import { sql } from 'drizzle-orm';
import { holds } from '@deviceportal/contract/permissions';
import type { SearchHit } from '@deviceportal/contract/search';
import type { Database } from '../platform/database/database.ts';
import { bestFirst, matchScore, wordsOf } from '../platform/text/match-score.ts';
import type { Viewer } from '../platform/viewer.ts';

const RANKED = 200;

/** Software versions on record, by component and version; the id is `component:version`. */
export async function findSoftwareHits(
  deps: { readonly database: Database },
  viewer: Viewer,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<SearchHit[]> {
  if (!holds(viewer.grants, 'versions:read')) return [];
  const wanted = text.replaceAll(':', ' ');
  const all = wordsOf(wanted).map(
    (word) => sql`strpos(lower(component || ' ' || version), ${word}) > 0`,
  );
  if (all.length === 0) return [];
  const { rows } = await deps.database.orm.execute<{
    component: string;
    version: string;
    notes: string;
    state: string;
  }>(sql`
    select component, version, notes, state from software_version where ${sql.join(all, sql` and `)}
    order by component, version_rank(version) collate "C" desc limit ${RANKED}`);
  const hits = rows.map((row): SearchHit => ({
    kind: 'software',
    id: `${row.component}:${row.version}`,
    label: `${row.component} ${row.version}`,
    detail: row.notes,
    score: matchScore([`${row.component} ${row.version}`, row.version, row.component], wanted),
    state: row.state,
    at: null,
  }));
  return bestFirst(hits, limit);
}
