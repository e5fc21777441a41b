import { holds } from '@deviceportal/contract/permissions';
import type { SearchHit } from '@deviceportal/contract/search';
import type { Database } from '../platform/database/database.ts';
import { bestFirst, matchScore, wordsOf } from '../platform/text/match-score.ts';
import type { Viewer } from '../platform/viewer.ts';
import { searchSoftware } from './data/software-queries.ts';

const RANKED = 200;

/** Registered software versions, by component and version; the id is `component:version`. */
export async function findSoftwareHits(
  deps: { readonly database: Database },
  viewer: Viewer,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<SearchHit[]> {
  if (!holds(viewer.grants, 'versions:read')) return [];
  const wanted = text.replaceAll(':', ' ');
  const words = wordsOf(wanted);
  if (words.length === 0) return [];
  const rows = await searchSoftware(deps.database.orm, words, RANKED);
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
