import type { SearchHit } from '@deviceportal/contract/search';
import type { Database } from '../platform/database/database.ts';
import { bestFirst, matchScore } from '../platform/text/match-score.ts';
import type { Viewer } from '../platform/viewer.ts';
import { searchAirBlasts } from './data/search-queries.ts';
import { visibleScopes } from './change-progress.ts';

/** Matches that are ranked by score. */
const RANKED = 100;

/** For each text, the rollouts that the viewer can see, by name, reason, change, or ID. */
export async function findAirBlastHits(
  deps: { readonly database: Database },
  viewer: Viewer,
  { texts, limit }: { readonly texts: readonly string[]; readonly limit: number },
): Promise<SearchHit[][]> {
  const scopes = visibleScopes(viewer);
  if (scopes.length === 0) return texts.map(() => []);
  const found = await searchAirBlasts(deps.database.orm, { texts, scopes, limit: RANKED });
  return found.map((rows, at) => {
    const hits = rows.map((row): SearchHit => ({
      kind: 'air-blast',
      id: row.id,
      label: row.name,
      detail: row.change === '' ? row.command : row.change,
      score: matchScore([row.name, row.id, row.command, row.change], texts[at] ?? ''),
      state: row.state,
      at: row.at.toISOString(),
    }));
    return bestFirst(hits, limit);
  });
}
