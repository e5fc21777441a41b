import { holds } from '@deviceportal/contract/permissions';
import type { SearchHit } from '@deviceportal/contract/search';
import type { Database } from '../platform/database/database.ts';
import { bestFirst, matchScore, wordsOf } from '../platform/text/match-score.ts';
import type { Viewer } from '../platform/viewer.ts';
import { searchSoftware } from './data/software-queries.ts';

/** For each text, the registered software versions by component and version; the id is `component:version`. */
export async function findSoftwareHits(
  deps: { readonly database: Database },
  viewer: Viewer,
  { texts, limit }: { readonly texts: readonly string[]; readonly limit: number },
): Promise<SearchHit[][]> {
  if (!holds(viewer.grants, 'versions:read')) return texts.map(() => []);
  const wanted = texts.map((text) => text.replaceAll(':', ' '));
  const found = await searchSoftware(deps.database.orm, wanted);
  return found.map((rows, at) => {
    const text = wanted[at] ?? '';
    if (wordsOf(text).length === 0) return [];
    const hits = rows.map((row): SearchHit => ({
      kind: 'software',
      id: `${row.component}:${row.version}`,
      label: `${row.component} ${row.version}`,
      detail: row.notes,
      score: matchScore([`${row.component} ${row.version}`, row.version, row.component], text),
      state: row.state,
      at: null,
    }));
    return bestFirst(hits, limit);
  });
}
