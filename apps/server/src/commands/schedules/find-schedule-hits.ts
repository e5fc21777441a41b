import { holds } from '@deviceportal/contract/permissions';
import type { SearchHit } from '@deviceportal/contract/search';
import type { Database } from '../../platform/database/database.ts';
import { bestFirst, matchScore, wordsOf } from '../../platform/text/match-score.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { searchSchedules } from '../data/schedule-queries.ts';

const RANKED = 100;

/** Schedules visible to the viewer, by name, command, or ID. */
export async function findScheduleHits(
  deps: { readonly database: Database },
  viewer: Viewer,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<SearchHit[]> {
  if (!holds(viewer.grants, 'commands:read')) return [];
  const rows = await searchSchedules(deps.database.orm, viewer, {
    words: wordsOf(text),
    limit: RANKED,
  });
  const hits = rows.map((row): SearchHit => ({
    kind: 'schedule',
    id: row.id,
    label: row.name,
    detail: row.command,
    score: matchScore([row.name, row.id, row.command], text),
    state: row.state,
    at: null,
  }));
  return bestFirst(hits, limit);
}
