import type { ReviewExport, ReviewLineRow } from '@deviceportal/contract/access-reviews';
import { csvHeader, csvLines, type CsvColumns } from '../platform/csv.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import type { AccessReviewsDeps } from './access-reviews-deps.ts';
import { selectLines } from './data/line-queries.ts';
import { requireReview } from './data/review-queries.ts';
import { toRow } from './list-lines.ts';
import { recordReview } from './record-review.ts';

/** More than a review of 10,000 users with five roles each. */
const MOST_LINES = 50_000;

const columns: CsvColumns<ReviewLineRow> = [
  ['user', (row) => row.username],
  ['userId', (row) => row.userId],
  ['role', (row) => row.roleName],
  ['kind', (row) => row.kind],
  ['serviceToken', (row) => row.apiTokenName],
  ['scope', (row) => JSON.stringify(row.scope)],
  ['permissions', (row) => row.permissions],
  ['until', (row) => row.until],
  ['lastSignInAt', (row) => row.lastSignInAt],
  ['lastUsedAt', (row) => row.lastUsedAt],
  ['decision', (row) => row.decision],
  ['reason', (row) => row.reason],
  ['decidedBy', (row) => row.decidedBy],
  ['decidedAt', (row) => row.decidedAt],
  ['outcome', (row) => row.outcome],
];

/** The evidence of a review: all lines with their decisions as CSV. The export is recorded. @throws PortalError 2003 */
export function exportReview(
  { database }: Pick<AccessReviewsDeps, 'database'>,
  caller: Caller,
  id: string,
): Promise<ReviewExport> {
  return inTransaction(database, async (tx) => {
    const { startedAt } = await requireReview(tx, id);
    const query = { reviewId: id, show: 'all' as const, text: '', after: null, limit: MOST_LINES };
    const lines = await selectLines(tx, query);
    await recordReview(tx, caller, 'access.review-exported', [
      { reviewId: id, lines: lines.length },
    ]);
    const rows = lines.map((line) => toRow(line, caller.viewer));
    return {
      fileName: `access-review-${startedAt.slice(0, 10)}.csv`,
      text: `${csvHeader(columns)}${csvLines(columns, rows)}`,
    };
  });
}
