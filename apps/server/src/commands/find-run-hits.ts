import { scopesOf } from '@deviceportal/contract/permissions';
import { searchScores, type SearchHit } from '@deviceportal/contract/search';
import { maskUser } from '../people/mask-person.ts';
import type { Database } from '../platform/database/database.ts';
import { bestFirst, matchScore } from '../platform/text/match-score.ts';
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

/** For each text, runs and invocations by ID; runs also by command, document, comment, and sender. */
export async function findRunHits(
  deps: { readonly database: Database },
  viewer: Viewer,
  { texts, limit }: { readonly texts: readonly string[]; readonly limit: number },
): Promise<SearchHit[][]> {
  const found = await search(deps, viewer, texts);
  return texts.map((text, at) => {
    const hits = (found[at] ?? []).map((row) => toHit(row, viewer, text));
    return bestFirst(hits, limit);
  });
}

async function search(
  { database: { orm } }: { readonly database: Database },
  viewer: Viewer,
  texts: readonly string[],
): Promise<readonly (readonly FoundByText[])[]> {
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  if (scopes.length === 0) return [];
  const worded = texts.filter((text) => !idBeginning.test(text));
  const byWords =
    worded.length === 0
      ? []
      : await searchRunsByWords(orm, viewer, { scopes, texts: worded, limit: RANKED });
  return Promise.all(
    texts.map((text) => {
      if (uuidShape.test(text)) return searchById(orm, scopes, text);
      if (!idBeginning.test(text)) return byWords[worded.indexOf(text)] ?? [];
      const digits = text.toLowerCase().replaceAll('-', '');
      return searchRunsByIdBeginning(orm, scopes, { digits, limit: RANKED });
    }),
  );
}

function toHit(row: FoundByText, viewer: Viewer, text: string): SearchHit {
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
}

function scoreOfId(id: string, text: string): number {
  return id === text.toLowerCase() ? searchScores.exact : searchScores.begins;
}

/** A match by command name ranks lower, because it does not identify a single run. */
function runScore(names: readonly string[], text: string): number {
  return Math.min(matchScore(names, text), searchScores.wordBegins);
}
