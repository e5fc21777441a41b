import { holds } from '@deviceportal/contract/permissions';
import type { SearchHit } from '@deviceportal/contract/search';
import type { Database } from '../platform/database/database.ts';
import { bestFirst, matchScore } from '../platform/text/match-score.ts';
import type { Viewer } from '../platform/viewer.ts';
import { searchDocuments } from './data/document-queries.ts';

/**
 * For each text, the documents by name, label, or description. An installation has hundreds, so they are scanned without
 * an index.
 */
export async function findDocumentHits(
  deps: { readonly database: Database },
  viewer: Viewer,
  { texts, limit }: { readonly texts: readonly string[]; readonly limit: number },
): Promise<SearchHit[][]> {
  if (!holds(viewer.grants, 'documents:read')) return texts.map(() => []);
  // Commands refer to documents as `name:version`.
  const wanted = texts.map((text) => text.split(':')[0] ?? text);
  const found = await searchDocuments(deps.database.orm, wanted);
  return found.map((rows, at) => {
    const hits = rows.map((row): SearchHit => ({
      kind: 'document',
      id: row.name,
      label: row.name,
      detail: row.description,
      score: matchScore([row.name, row.description], wanted[at] ?? ''),
      state: row.state,
      at: null,
    }));
    return bestFirst(hits, limit);
  });
}
