import type { SearchHit } from '@deviceportal/contract/search';
import type { Database } from '../platform/database/database.ts';
import { bestFirst, matchScore, wordsOf } from '../platform/text/match-score.ts';
import type { Viewer } from '../platform/viewer.ts';
import { searchAirBlasts } from './data/search-queries.ts';
import { visibleScopes } from './change-progress.ts';

/** Matches that are ranked by score. */
const RANKED = 100;

/** Rollouts that the viewer can see, by name, reason, change, or ID. */
export async function findAirBlastHits(
  deps: { readonly database: Database },
  viewer: Viewer,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<SearchHit[]> {
  const scopes = visibleScopes(viewer);
  if (scopes.length === 0) return [];
  const rows = await searchAirBlasts(deps.database.orm, {
    words: wordsOf(text),
    scopes,
    limit: RANKED,
  });
  const hits = rows.map((row): SearchHit => ({
    kind: 'air-blast',
    id: row.id,
    label: row.name,
    detail: row.change === '' ? row.command : row.change,
    score: matchScore([row.name, row.id, row.command, row.change], text),
    state: row.state,
    at: row.at.toISOString(),
  }));
  return bestFirst(hits, limit);
}
