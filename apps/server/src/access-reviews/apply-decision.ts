import type { ReviewDecision, ReviewOutcome } from '@deviceportal/contract/access-reviews';
import { refuse } from '@deviceportal/contract/refuse';
import { endReviewedGrant } from '../access/access-grants/end-access-grants.ts';
import { requireUser } from '../access/data/user-role-queries.ts';
import { applyUserRoles } from '../access/users/change-user-roles.ts';
import { revokeReviewedToken } from '../api-tokens/revoke-reviewed-token.ts';
import type { Change } from '../platform/change-feed.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import type { AccessReviewsDeps } from './access-reviews-deps.ts';
import { storeDecision, type lockUndecided } from './data/line-queries.ts';
import { recordReview } from './record-review.ts';

type Line = Awaited<ReturnType<typeof lockUndecided>>[number];

export interface AppliedDecision {
  readonly line: Line;
  readonly decision: ReviewDecision;
  readonly reason: string;
  /** Null at the due date. */
  readonly decidedById: string | null;
}

/** Stores a decision, takes the role away if it says so, and records both. */
export async function applyDecision(
  tx: Transaction,
  deps: Pick<AccessReviewsDeps, 'directory'>,
  caller: Caller,
  { line, decision, reason, decidedById }: AppliedDecision,
): Promise<Change[]> {
  const { outcome, news } =
    decision === 'keep'
      ? { outcome: 'kept' as const, news: [] }
      : await removeHeld(tx, deps, caller, line);
  await storeDecision(tx, line.id, { decision, reason, decidedById, outcome });
  const user = await requireUser(tx, line.userId);
  await recordReview(tx, caller, 'access.review-decided', [
    {
      reviewId: line.reviewId,
      userId: line.userId,
      username: user.username,
      role: line.roleName,
      ...(line.apiTokenId !== null && {
        apiTokenId: line.apiTokenId,
        apiToken: line.apiTokenName,
      }),
      decision,
      outcome,
      ...(reason !== '' && { reason }),
    },
  ]);
  return news;
}

interface Removal {
  readonly outcome: ReviewOutcome;
  readonly news: Change[];
}

async function removeHeld(
  tx: Transaction,
  deps: Pick<AccessReviewsDeps, 'directory'>,
  caller: Caller,
  { userId, roleId, accessGrantId, apiTokenId, kind }: Line,
): Promise<Removal> {
  if (apiTokenId !== null) {
    const isEnded = await revokeReviewedToken(tx, caller, apiTokenId);
    return { outcome: isEnded ? 'removed' : 'gone', news: [] };
  }
  if (kind === 'group') throw refuse('role-by-group');
  if (accessGrantId !== null) {
    const { isEnded, news } = await endReviewedGrant(tx, caller, accessGrantId);
    return { outcome: isEnded ? 'removed' : 'gone', news };
  }
  const { roles } = await requireUser(tx, userId);
  if (!roles.some(({ id }) => id === roleId)) return { outcome: 'gone', news: [] };
  await applyUserRoles(tx, deps, caller, { id: userId, add: [], remove: [roleId] });
  return { outcome: 'removed', news: [] };
}
