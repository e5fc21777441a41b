import {
  REVIEW_DAYS,
  REVIEW_REMINDER_DAYS,
  type OverdueAct,
} from '@deviceportal/contract/access-reviews';
import { PortalError } from '@deviceportal/contract/errors';
import { serializeAccessChange } from '../access/serialize-access-change.ts';
import type { Change } from '../platform/change-feed.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import type { AccessReviewsDeps } from './access-reviews-deps.ts';
import { applyDecision } from './apply-decision.ts';
import { closeIfDecided } from './close-review.ts';
import { lockUndecided } from './data/line-queries.ts';
import { isReviewDue, lockOpenReview, type StoredReview } from './data/review-queries.ts';
import { notifyReviewers } from './notify-reviewers.ts';
import { takeSnapshot } from './start-review.ts';

export interface ReviewSchedule {
  /** Days between the starts of two reviews; 0 for none by schedule. */
  readonly everyDays: number;
  readonly overdue: OverdueAct;
}

const DAY_MS = 86_400_000;

/** Starts a review that is due, reminds of an open one, and removes what is overdue if the review says so. */
export async function advanceReview(
  deps: AccessReviewsDeps,
  { everyDays, overdue }: ReviewSchedule,
): Promise<void> {
  const news = await serializeAccessChange(deps.database, async (tx) => {
    const open = await lockOpenReview(tx);
    if (open !== undefined) return advanceOpen(tx, deps, open);
    if (everyDays === 0 || !(await isReviewDue(tx, everyDays))) return [];
    const snapshot = { caller: undefined, days: REVIEW_DAYS.usual, overdue };
    return (await takeSnapshot(tx, deps, snapshot)).news;
  });
  deps.changes.publish(news);
}

async function advanceOpen(
  tx: Transaction,
  deps: AccessReviewsDeps,
  review: StoredReview,
): Promise<Change[]> {
  const left = review.dueAt.getTime() - deps.clock().getTime();
  if (left > REVIEW_REMINDER_DAYS * DAY_MS) return [];
  if (left > 0) return notifyReviewers(tx, review, 'soon');
  if (review.overdue === 'keep') return notifyReviewers(tx, review, 'overdue');
  const news: Change[] = [];
  for (const line of await lockUndecided(tx, review.id, 'all')) {
    news.push(...(await removeOverdue(tx, deps, line)));
  }
  await closeIfDecided(tx, undefined, review.id);
  return news;
}

/** What cannot be removed is kept: the last administrator, and members of the administrators' group. */
async function removeOverdue(
  tx: Transaction,
  deps: AccessReviewsDeps,
  line: Awaited<ReturnType<typeof lockUndecided>>[number],
): Promise<Change[]> {
  const decision = { line, reason: '', decidedById: null };
  try {
    return await applyDecision(tx, deps, server, { ...decision, decision: 'remove' });
  } catch (error) {
    const reason = error instanceof PortalError ? error.reason : null;
    if (reason !== 'last-administrator' && reason !== 'role-by-group') throw error;
    return applyDecision(tx, deps, server, { ...decision, decision: 'keep' });
  }
}

const SERVER_ID = '00000000-0000-0000-0000-000000000000';

/** The server as the caller of use cases: a review that removes what is overdue was started with that rule. */
const server: Caller = {
  requestId: '',
  address: '',
  viewer: {
    userId: SERVER_ID,
    subject: SERVER_ID,
    username: 'Device Portal',
    displayName: 'Device Portal',
    email: null,
    roles: [],
    grants: [],
    admitted: true,
    signedInAt: new Date(0),
    service: { kind: 'server', id: SERVER_ID, name: 'Device Portal' },
  },
};
