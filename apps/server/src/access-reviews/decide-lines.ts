import type { ReviewLinesDecision } from '@deviceportal/contract/access-reviews';
import { refuse } from '@deviceportal/contract/refuse';
import { findRolesByIds } from '../access/data/user-role-queries.ts';
import { loadGranter, requireCanRemove, requireOtherUser } from '../access/roles/granter.ts';
import { serializeAccessChange } from '../access/serialize-access-change.ts';
import type { Change } from '../platform/change-feed.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import type { AccessReviewsDeps } from './access-reviews-deps.ts';
import { applyDecision } from './apply-decision.ts';
import { closeIfDecided } from './close-review.ts';
import { lockUndecided } from './data/line-queries.ts';
import { lockOpenReview } from './data/review-queries.ts';

/**
 * Decides lines of a review and applies the decision, all or none. Lines that another reviewer has already decided
 * are not changed.
 * @returns the number of decided lines
 * @throws PortalError 1000 for the caller's own roles, or for permissions that the caller does not have; 2004 if the
 * review is closed, for members of the administrators' group, and for the last administrator
 */
export async function decideLines(
  deps: AccessReviewsDeps,
  caller: Caller,
  { reviewId, lineIds, decision, reason }: ReviewLinesDecision,
): Promise<{ readonly decided: number }> {
  const { news, decided } = await serializeAccessChange(deps.database, async (tx) => {
    const review = await lockOpenReview(tx);
    if (review?.id !== reviewId) throw refuse('review-closed');
    const lines = await lockUndecided(tx, reviewId, lineIds);
    await requireReviewer(tx, deps, caller, lines);
    const published: Change[] = [];
    for (const line of lines) {
      published.push(
        ...(await applyDecision(tx, deps, caller, {
          line,
          decision,
          reason,
          decidedById: caller.viewer.userId,
        })),
      );
    }
    await closeIfDecided(tx, caller, reviewId);
    return { news: published, decided: lines.length };
  });
  deps.changes.publish(news);
  return { decided };
}

/** Users never review their own roles, and only roles that they could remove. */
async function requireReviewer(
  tx: Transaction,
  { directory }: AccessReviewsDeps,
  caller: Caller,
  lines: Awaited<ReturnType<typeof lockUndecided>>,
): Promise<void> {
  const granter = await loadGranter(tx, directory, caller);
  for (const { userId } of lines) requireOtherUser(granter, userId);
  const roles = await findRolesByIds(tx, [...new Set(lines.map(({ roleId }) => roleId))]);
  for (const role of roles) requireCanRemove(granter, role);
}
