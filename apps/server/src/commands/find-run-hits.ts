import { scopesOf } from '@deviceportal/contract/permissions';
import { searchScores, type SearchHit } from '@deviceportal/contract/search';
import { maskUser } from '../people/mask-person.ts';
import type { Database } from '../platform/database/database.ts';
import { bestFirst, matchScore, wordsOf } from '../platform/text/match-score.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import {
  searchById,
  searchRunsByIdBeginning,
  searchRunsByWords,
  type FoundByText,
} from './data/runs/run-search-queries.ts';

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Prefix of an ID. */
const idBeginning = /^[0-9a-f]{8}(-[0-9a-f]{0,4}){0,3}(-[0-9a-f]{0,12})?$/i;
const RANKED = 100;

/** Runs and invocations by ID; runs also by command, document, comment, and sender. */
export async function findRunHits(
  deps: { readonly database: Database },
  viewer: Viewer,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<SearchHit[]> {
  const hits = (await search(deps, viewer, text)).map((row): SearchHit => {
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

async function search(
  { database: { orm } }: { readonly database: Database },
  viewer: Viewer,
  text: string,
): Promise<readonly FoundByText[]> {
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  if (scopes.length === 0) return [];
  if (uuidShape.test(text)) return searchById(orm, scopes, text);
  const digits = text.toLowerCase().replaceAll('-', '');
  return idBeginning.test(text)
    ? searchRunsByIdBeginning(orm, scopes, { digits, limit: RANKED })
    : searchRunsByWords(orm, viewer, { scopes, words: wordsOf(text), limit: RANKED });
}

function scoreOfId(id: string, text: string): number {
  return id === text.toLowerCase() ? searchScores.exact : searchScores.begins;
}

/** A match by command name ranks lower, because it does not identify a single run. */
function runScore(names: readonly string[], text: string): number {
  return Math.min(matchScore(names, text), searchScores.wordBegins);
}
