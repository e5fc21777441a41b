import { holds } from '@deviceportal/contract/permissions';
import type { SearchHit } from '@deviceportal/contract/search';
import type { Database } from '../../platform/database/database.ts';
import { bestFirst, matchScore } from '../../platform/text/match-score.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { searchSchedules } from '../data/schedule-queries.ts';

/** For each text, the schedules visible to the viewer, by name, command, or ID. */
export async function findScheduleHits(
  deps: { readonly database: Database },
  viewer: Viewer,
  { texts, limit }: { readonly texts: readonly string[]; readonly limit: number },
): Promise<SearchHit[][]> {
  if (!holds(viewer.grants, 'commands:read')) return texts.map(() => []);
  const found = await searchSchedules(deps.database.orm, viewer, texts);
  return found.map((rows, at) => {
    const hits = rows.map((row): SearchHit => ({
      kind: 'schedule',
      id: row.id,
      label: row.name,
      detail: row.command,
      score: matchScore([row.name, row.id, row.command], texts[at] ?? ''),
      state: row.state,
      at: null,
    }));
    return bestFirst(hits, limit);
  });
}
