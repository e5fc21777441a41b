import { findUsersWithPermission } from '../access/data/users-with-permission.ts';
import { notify } from '../notifications/notify.ts';
import type { Change } from '../platform/change-feed.ts';
import type { Transaction } from '../platform/database/database.ts';
import { countUndecided } from './data/line-queries.ts';
import type { StoredReview } from './data/review-queries.ts';

/** Notifies all who manage access, once for each stage of a review. */
export async function notifyReviewers(
  tx: Transaction,
  { id, dueAt }: Pick<StoredReview, 'id' | 'dueAt'>,
  stage: 'started' | 'soon' | 'overdue',
): Promise<Change[]> {
  const facts = {
    reviewId: id,
    stage,
    lines: await countUndecided(tx, id),
    due: dueAt.toISOString().slice(0, 10),
  };
  const subject = `access-review:${id}:${stage}`;
  const reviewers = await findUsersWithPermission(tx, 'access:manage');
  return notify(
    tx,
    reviewers.map(({ userId }) => ({ userId, kind: 'access-review' as const, subject, facts })),
  );
}
