import { z } from 'zod';
import type {
  ListReviewLines,
  ReviewLinePage,
  ReviewLineRow,
} from '@deviceportal/contract/access-reviews';
import { holds } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import { maskName } from '../people/mask-person.ts';
import { decodeCursor, encodeCursor } from '../platform/keyset-cursor.ts';
import { isoOrNull } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { AccessReviewsDeps } from './access-reviews-deps.ts';
import { countLines, selectLines, type LineQuery, type NamedLine } from './data/line-queries.ts';

/** Lines of a review by username. Without `people:read`, names of others are masked and cannot be searched. */
export async function listLines(
  { database }: Pick<AccessReviewsDeps, 'database'>,
  viewer: Viewer,
  { reviewId, show, text, pageSize, cursor }: ListReviewLines,
): Promise<ReviewLinePage> {
  if (text !== '' && !holds(viewer.grants, 'people:read')) {
    return { rows: [], nextCursor: null, count: 0 };
  }
  const query = { reviewId, show, text };
  const [found, count] = await Promise.all([
    selectLines(database.orm, { ...query, after: readCursor(cursor), limit: pageSize + 1 }),
    countLines(database.orm, query),
  ]);
  const rows = found.slice(0, pageSize);
  const last = found.length > pageSize ? rows.at(-1) : undefined;
  return {
    rows: rows.map((line) => toRow(line, viewer)),
    nextCursor: last === undefined ? null : encodeCursor([last.username, last.id]),
    count,
  };
}

function readCursor(cursor: string | null): LineQuery['after'] {
  if (cursor === null) return null;
  const [username = '', id] = decodeCursor(cursor, 2);
  const parsed = z.uuid().safeParse(id);
  if (!parsed.success) throw refuse('cursor-invalid', { field: 'cursor' });
  return { username, id: parsed.data };
}

/** A line as the viewer sees it. */
export function toRow(line: NamedLine, viewer: Viewer): ReviewLineRow {
  const seesNames = holds(viewer.grants, 'people:read');
  const { reviewId: _review, accessGrantId: _grant, apiTokenId: _token, ...others } = line;
  const { decidedById, ...shown } = others;
  const isOwn = line.userId === viewer.userId;
  const nameOf = (name: string, isSelf: boolean): string =>
    seesNames || isSelf ? name : maskName(name);
  return {
    ...shown,
    username: nameOf(line.username, isOwn),
    decidedBy:
      line.decidedBy === null ? null : nameOf(line.decidedBy, decidedById === viewer.userId),
    until: isoOrNull(line.until),
    lastSignInAt: isoOrNull(line.lastSignInAt),
    lastUsedAt: isoOrNull(line.lastUsedAt),
    decidedAt: isoOrNull(line.decidedAt),
    obstacle: isOwn ? 'own' : line.kind === 'group' ? 'group' : null,
  };
}
