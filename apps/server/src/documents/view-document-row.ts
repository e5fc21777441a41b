import type { DocumentRow } from '@deviceportal/contract/documents';
import { maskUser } from '../people/mask-person.ts';
import { isoOf, isoOrNull } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { selectDocumentRows } from './data/document-row-queries.ts';
import { documentPlatforms } from './document-platforms.ts';

type StoredRow = Awaited<ReturnType<typeof selectDocumentRows>>[number];

/** A document with names masked for viewers without `people:read`. */
export function viewDocumentRow(
  { sortedAt: _sortedAt, steps, ...row }: StoredRow,
  viewer: Viewer,
): DocumentRow {
  return {
    ...row,
    platforms: documentPlatforms(steps),
    lastUsedAt: isoOrNull(row.lastUsedAt),
    updatedAt: isoOf(row.updatedAt),
    updatedBy: maskUser(row.updatedBy, viewer),
  };
}
