import { sql, type SQL } from 'drizzle-orm';
import { holds, scopesOf } from '@deviceportal/contract/permissions';
import { searchScores, type SearchHit } from '@deviceportal/contract/search';
import { deviceScopeCondition } from '../devices/device-scope-condition.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Database } from '../platform/database/database.ts';
import { bestFirst, matchScore, wordsOf } from '../platform/text/match-score.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { runScopeCondition } from './run-store.ts';

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The beginning of an id, as people read it off a screen. */
const idBeginning = /^[0-9a-f]{8}(-[0-9a-f]{0,4}){0,3}(-[0-9a-f]{0,12})?$/i;
/** By words only the newest runs are found; older ones by their id, or in the list of runs. */
const NEWEST = 500;
const RANKED = 100;

interface FoundRow extends Record<string, unknown> {
  readonly id: string;
  readonly kind: 'run' | 'invocation';
  readonly command: string;
  readonly document: string;
  readonly comment: string;
  readonly state: string;
  readonly createdBy: string;
  readonly at: string;
}

interface Wanted {
  readonly text: string;
  readonly limit: number;
}

const columns = sql`r.command, r.document_name as document, r.comment, r.created_by as "createdBy"`;

/** Runs, and results on single devices, by their id; runs also by command, document, comment and who sent them. */
export async function findRunHits(
  deps: { readonly database: Database },
  viewer: Viewer,
  { text, limit }: Wanted,
): Promise<SearchHit[]> {
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  if (scopes.length === 0) return [];
  const { rows } = await deps.database.orm.execute<FoundRow>(
    idBeginning.test(text) ? byId(text, scopes) : byWords(text, scopes, viewer),
  );
  const hits = rows.map((row): SearchHit => {
    const createdBy = maskUser(row.createdBy, viewer);
    const names = [row.command, row.document, row.comment, createdBy];
    return {
      kind: row.kind,
      id: row.id,
      label: row.command,
      detail: [row.comment, createdBy].filter(Boolean).join(' · '),
      score: idBeginning.test(text) ? scoreOfId(row.id, text) : runScore(names, text),
      state: row.state,
      at: isoOf(row.at),
    };
  });
  return bestFirst(hits, limit);
}

function scoreOfId(id: string, text: string): number {
  return id === text.toLowerCase() ? searchScores.exact : searchScores.begins;
}

/** A command's name is no name of one run: other things that are called so come first. */
function runScore(names: readonly string[], text: string): number {
  return Math.min(matchScore(names, text), searchScores.wordBegins);
}

function byId(text: string, scopes: ReturnType<typeof scopesOf>): SQL {
  const plain = text.toLowerCase().replaceAll('-', '');
  const from = `${plain.padEnd(32, '0')}`;
  const to = `${plain.padEnd(32, 'f')}`;
  const runs = sql`
    (select r.id, 'run' as kind, ${columns}, r.state, r.created_at as at from command_run r
     where r.id between ${from}::uuid and ${to}::uuid and ${runScopeCondition(scopes)} limit ${RANKED})`;
  if (!uuidShape.test(text)) return runs;
  return sql`${runs} union all
    (select i.id, 'invocation' as kind, ${columns}, i.state, i.queued_at as at
     from invocation i join command_run r on r.id = i.run_id join device d on d.id = i.device_id
     where i.id = ${text}::uuid and ${deviceScopeCondition(scopes)})`;
}

function byWords(text: string, scopes: ReturnType<typeof scopesOf>, viewer: Viewer): SQL {
  // Who sees no names finds nothing by one, nor pushes out what is found by something else.
  const sender = holds(viewer.grants, 'people:read')
    ? sql`r.created_by`
    : sql`case when r.created_by = ${viewer.username} then r.created_by else '' end`;
  const all = wordsOf(text).map(
    (word) =>
      sql`strpos(lower(r.command || ' ' || r.document_name || ' ' || r.comment || ' ' || ${sender}), ${word}) > 0`,
  );
  return sql`
    select r.id, 'run' as kind, ${columns}, r.state, r.created_at as at
    from (select * from command_run order by created_at desc, id desc limit ${NEWEST}) r
    where ${sql.join(all, sql` and `)} and ${runScopeCondition(scopes)}
    order by r.created_at desc, r.id desc limit ${RANKED}`;
}
