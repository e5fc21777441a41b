import { z } from 'zod';
import type { DocumentRow, listDocumentsInput } from '@deviceportal/contract/documents';
import type { Page } from '@deviceportal/contract/pages';
import { holds, scopesOf } from '@deviceportal/contract/permissions';
import type { Database } from '../platform/database/database.ts';
import { decodeCursor, encodeCursor } from '../platform/keyset-cursor.ts';
import { decodeMomentCursor } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { selectDocumentRows, type DocumentFilter } from './data/document-row-queries.ts';
import { viewDocumentRow } from './view-document-row.ts';

type ListDocuments = z.infer<typeof listDocumentsInput>;

export async function listDocuments(
  deps: { readonly database: Database },
  viewer: Viewer,
  input: ListDocuments,
): Promise<Page<DocumentRow>> {
  const { sort, descending, pageSize } = input;
  const found = await selectDocumentRows(deps.database.orm, {
    filter: filterOf(input, viewer),
    ...{ sort, descending },
    limit: pageSize + 1,
    scopes: scopesOf(viewer.grants, ['commands:read']),
  });
  const page = found.slice(0, pageSize);
  const last = found.length > pageSize ? page.at(-1) : undefined;
  return {
    rows: page.map((row) => viewDocumentRow(row, viewer)),
    nextCursor:
      last === undefined
        ? null
        : encodeCursor(sort === 'name' ? [last.name] : [last.sortedAt, last.name]),
  };
}

function filterOf(input: ListDocuments, viewer: Viewer): DocumentFilter {
  const { text, states, consequences, waitingForMe } = input;
  const reviewableBy = holds(viewer.grants, 'documents:approve') ? viewer.userId : null;
  return {
    ...{ text, states, consequences, after: afterCursor(input) },
    ...(waitingForMe && { reviewableBy }),
  };
}

function afterCursor({ cursor, sort }: ListDocuments): NonNullable<DocumentFilter['after']> | null {
  if (cursor !== null && sort === 'name') {
    const [name = ''] = decodeCursor(cursor, 1);
    return { name, sortedAt: '' };
  }
  const decoded = decodeMomentCursor(cursor, z.string());
  return decoded === null ? null : { name: decoded.id, sortedAt: decoded.at };
}
