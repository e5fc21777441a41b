import { sql } from 'drizzle-orm';
import type { SearchHit } from '@deviceportal/contract/search';
import type { Database } from '../platform/database/database.ts';
import { bestFirst, matchScore, wordsOf } from '../platform/text/match-score.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { airBlastScopeCondition } from './air-blast-store.ts';
import { sightOf } from './change-progress.ts';

/** By words only the newest are found. */
const NEWEST = 500;
const RANKED = 100;

/** AirBlast runs within the viewer's sight, by name, reason, what they change, or id. */
export async function findAirBlastHits(
  deps: { readonly database: Database },
  viewer: Viewer,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<SearchHit[]> {
  const scopes = sightOf(viewer);
  if (scopes.length === 0) return [];
  const all = wordsOf(text).map(
    (word) =>
      sql`strpos(lower(concat_ws(' ', name, reason, command, component, version, id)), ${word}) > 0`,
  );
  const { rows } = await deps.database.orm.execute<{
    id: string;
    name: string;
    command: string;
    change: string;
    state: string;
    at: string;
  }>(sql`
    select id, name, command, concat_ws(' ', component, version) as change, state, created_at as at
    from (select * from air_blast order by created_at desc, id desc limit ${NEWEST}) air_blast
    where ${sql.join(all, sql` and `)} and ${airBlastScopeCondition(scopes)}
    order by created_at desc, id desc limit ${RANKED}`);
  const hits = rows.map((row): SearchHit => ({
    kind: 'air-blast',
    id: row.id,
    label: row.name,
    detail: row.change === '' ? row.command : row.change,
    score: matchScore([row.name, row.id, row.command, row.change], text),
    state: row.state,
    at: isoOf(row.at),
  }));
  return bestFirst(hits, limit);
}
