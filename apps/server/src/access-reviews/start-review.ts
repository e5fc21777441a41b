import type { NewAccessReview, ReviewLineKind } from '@deviceportal/contract/access-reviews';
import { newId } from '@deviceportal/contract/ids';
import { refuse } from '@deviceportal/contract/refuse';
import { findHeldRoles } from '../access/data/held-roles.ts';
import { loadGranter, requirePermanentManager } from '../access/roles/granter.ts';
import { serializeAccessChange } from '../access/serialize-access-change.ts';
import { findReviewedTokens } from '../api-tokens/data/find-reviewed-tokens.ts';
import { findLastCalls } from '../api-calls/data/last-calls.ts';
import type { Change } from '../platform/change-feed.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import type { AccessReviewsDeps } from './access-reviews-deps.ts';
import { insertLines } from './data/line-queries.ts';
import { insertReview, lockOpenReview } from './data/review-queries.ts';
import { LastUsed } from './last-used.ts';
import { notifyReviewers } from './notify-reviewers.ts';
import { recordReview } from './record-review.ts';

const DAY_MS = 86_400_000;

/**
 * Starts a review of everything that active users and service tokens hold now.
 * @throws PortalError 1000 without permanent permission to manage access; 2004 while another review is open
 */
export async function startReview(
  deps: AccessReviewsDeps,
  caller: Caller,
  input: NewAccessReview,
): Promise<{ readonly id: string }> {
  const { id, news } = await serializeAccessChange(deps.database, async (tx) => {
    requirePermanentManager(await loadGranter(tx, deps.directory, caller));
    if ((await lockOpenReview(tx)) !== undefined) throw refuse('review-open');
    return takeSnapshot(tx, deps, { caller, ...input });
  });
  deps.changes.publish(news);
  return { id };
}

/** Stores who holds what, in the transaction of the start. @param caller undefined for the schedule */
export async function takeSnapshot(
  tx: Transaction,
  { clock, permissionsByPath }: Pick<AccessReviewsDeps, 'clock' | 'permissionsByPath'>,
  { caller, days, overdue }: NewAccessReview & { readonly caller: Caller | undefined },
): Promise<{ readonly id: string; readonly news: Change[] }> {
  const id = newId();
  const startedAt = clock();
  const dueAt = new Date(startedAt.getTime() + days * DAY_MS);
  const startedById = caller?.viewer.userId ?? null;
  const held = await findHeldRoles(tx);
  const calls = await findLastCalls(tx, [...new Set(held.map(({ userId }) => userId))]);
  const used = new LastUsed(calls, permissionsByPath());
  const tokens = await findReviewedTokens(tx);
  await insertReview(tx, { id, startedAt, startedById, dueAt, overdue });
  await insertLines(tx, [
    ...held.map(({ isByGroup, permissions, ...role }) => ({
      ...role,
      id: newId(),
      reviewId: id,
      kind: kindOf(isByGroup, role.accessGrantId),
      permissions: permissions.length,
      lastUsedAt: used.of(role.userId, permissions),
    })),
    ...tokens.map(({ permissions, ...line }) => ({
      ...line,
      ...{ id: newId(), reviewId: id, kind: 'service-token' as const },
      permissions: permissions.length,
    })),
  ]);
  await recordReview(tx, caller, 'access.review-started', [
    { reviewId: id, lines: held.length + tokens.length, dueAt, overdue },
  ]);
  return { id, news: await notifyReviewers(tx, { id, dueAt }, 'started') };
}

function kindOf(isByGroup: boolean, accessGrantId: string | null): ReviewLineKind {
  if (isByGroup) return 'group';
  return accessGrantId === null ? 'role' : 'temporary';
}
