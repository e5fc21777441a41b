import type { Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { countUndecided } from './data/line-queries.ts';
import { markClosed, requireReview } from './data/review-queries.ts';
import { recordReview } from './record-review.ts';

/** Closes a review whose lines are all decided. */
export async function closeIfDecided(
  tx: Transaction,
  caller: Caller | undefined,
  reviewId: string,
): Promise<void> {
  if ((await countUndecided(tx, reviewId)) > 0) return;
  await markClosed(tx, reviewId);
  const { lines, removed } = await requireReview(tx, reviewId);
  await recordReview(tx, caller, 'access.review-closed', [{ reviewId, lines, removed }]);
}
