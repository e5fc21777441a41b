import { holds } from '@deviceportal/contract/permissions';
import type { SearchHit } from '@deviceportal/contract/search';
import type { Database } from '../platform/database/database.ts';
import { bestFirst, matchScore, wordsOf } from '../platform/text/match-score.ts';
import type { Viewer } from '../platform/viewer.ts';
import { searchDocuments } from './data/document-queries.ts';

const RANKED = 200;

/** Documents by name, label, or description. An installation has hundreds, so they are scanned without an index. */
export async function findDocumentHits(
  deps: { readonly database: Database },
  viewer: Viewer,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<SearchHit[]> {
  if (!holds(viewer.grants, 'documents:read')) return [];
  // Commands refer to documents as `name:version`.
  const [wanted = text] = text.split(':');
  const words = wordsOf(wanted);
  const rows = await searchDocuments(deps.database.orm, { text: wanted, words, limit: RANKED });
  const hits = rows.map((row): SearchHit => ({
    kind: 'document',
    id: row.name,
    label: row.name,
    detail: row.description,
    score: matchScore([row.name, row.description], wanted),
    state: row.state,
    at: null,
  }));
  return bestFirst(hits, limit);
}
