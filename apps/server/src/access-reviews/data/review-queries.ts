import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { AccessReviewRow } from '@deviceportal/contract/access-reviews';
import { PortalError } from '@deviceportal/contract/errors';
import { userNames } from '../../access/data/user-names.ts';
import { portalClock, portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isoOrNull } from '../../platform/moment-cursor.ts';
import { accessReview, accessReviewLine } from './access-reviews-tables.ts';

export type StoredReview = typeof accessReview.$inferSelect;

/** Reviews that the list shows; older ones remain in the audit trail. */
const MOST_LISTED = 200;

const countLines = (condition: ReturnType<typeof sql>) =>
  sql<number>`count(${accessReviewLine.id}) filter (where ${condition})::int`;

const selectRows = (on: Executor) =>
  on
    .select({
      ...getTableColumns(accessReview),
      startedBy: sql<string | null>`max(${userNames.username})`,
      lines: countLines(sql`true`),
      undecided: countLines(sql`${accessReviewLine.decision} is null`),
      removed: countLines(sql`${accessReviewLine.outcome} = 'removed'`),
    })
    .from(accessReview)
    .leftJoin(accessReviewLine, eq(accessReviewLine.reviewId, accessReview.id))
    .leftJoin(userNames, eq(userNames.userId, accessReview.startedById));

const toRow = ({
  startedById,
  startedAt,
  dueAt,
  closedAt,
  ...row
}: Awaited<ReturnType<typeof selectRows>>[number]): AccessReviewRow => ({
  ...row,
  isScheduled: startedById === null,
  startedAt: startedAt.toISOString(),
  dueAt: dueAt.toISOString(),
  closedAt: isoOrNull(closedAt),
});

/** Newest first. */
export async function listReviews(on: Executor): Promise<AccessReviewRow[]> {
  const rows = await selectRows(on)
    .groupBy(accessReview.id)
    .orderBy(desc(accessReview.startedAt), desc(accessReview.id))
    .limit(MOST_LISTED);
  return rows.map(toRow);
}

/** @throws PortalError 2003 */
export async function requireReview(on: Executor, id: string): Promise<AccessReviewRow> {
  const [row] = await selectRows(on).where(eq(accessReview.id, id)).groupBy(accessReview.id);
  if (row === undefined) throw new PortalError('notFound', { facts: { id } });
  return toRow(row);
}

/** The open review, locked until the transaction ends. */
export async function lockOpenReview(tx: Transaction): Promise<StoredReview | undefined> {
  const [found] = await tx
    .select()
    .from(accessReview)
    .where(eq(accessReview.state, 'open'))
    .for('update');
  return found;
}

/** Whether no review was started within this number of days. */
export async function isReviewDue(tx: Transaction, days: number): Promise<boolean> {
  const recent = await tx
    .select({ id: accessReview.id })
    .from(accessReview)
    .where(sql`${accessReview.startedAt} > ${portalNow} - make_interval(days => ${days})`)
    .limit(1);
  return recent.length === 0;
}

export async function insertReview(
  tx: Transaction,
  review: Pick<StoredReview, 'id' | 'startedAt' | 'startedById' | 'dueAt' | 'overdue'>,
): Promise<void> {
  await tx.insert(accessReview).values({ ...review, state: 'open' });
}

/** Closes an open review. */
export async function markClosed(tx: Transaction, id: string): Promise<void> {
  await tx
    .update(accessReview)
    .set({ state: 'closed', closedAt: portalClock })
    .where(and(eq(accessReview.id, id), eq(accessReview.state, 'open')));
}
