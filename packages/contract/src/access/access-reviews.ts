import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { cursorSchema, pageSizeSchema, type Page, type Timestamp } from '../pages.ts';
import type { Scope } from './permissions.ts';

/** How long reviewers have. */
export const REVIEW_DAYS = { least: 1, most: 90, usual: 14 } as const;

/** Reviewers are reminded this many days before the due date. */
export const REVIEW_REMINDER_DAYS = 3;

export const overdueActs = ['keep', 'remove'] as const;
/** What happens to lines without a decision at the due date: they stay open as overdue, or are removed. */
export type OverdueAct = (typeof overdueActs)[number];

export const reviewDecisions = ['keep', 'remove'] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

/**
 * How a role is held: assigned to a user, for a limited time, as a member of the administrators' group, or by a service
 * token that the user has created.
 */
export type ReviewLineKind = 'role' | 'temporary' | 'group' | 'service-token';

/** What a decision has done. `gone`: the role was no longer held, or the token had ended. */
export type ReviewOutcome = 'kept' | 'removed' | 'gone';

export interface AccessReviewRow {
  readonly id: string;
  readonly startedAt: Timestamp;
  /** Username; null if it was started by schedule, or the user was erased. */
  readonly startedBy: string | null;
  readonly isScheduled: boolean;
  readonly dueAt: Timestamp;
  readonly overdue: OverdueAct;
  readonly state: 'open' | 'closed';
  readonly closedAt: Timestamp | null;
  readonly lines: number;
  readonly undecided: number;
  readonly removed: number;
}

/** Who held which role when the review started, and what was decided. */
export interface ReviewLineRow {
  readonly id: string;
  readonly userId: string;
  readonly username: string;
  readonly roleId: string;
  readonly roleName: string;
  readonly kind: ReviewLineKind;
  /** Name of the service token. */
  readonly apiTokenName: string | null;
  readonly scope: Scope;
  /** Number of permissions of the role. */
  readonly permissions: number;
  /** End of temporary access, or of the token. */
  readonly until: Timestamp | null;
  readonly lastSignInAt: Timestamp | null;
  /** Last successful API call that requires a permission of the role; null if none is recorded. */
  readonly lastUsedAt: Timestamp | null;
  readonly decision: ReviewDecision | null;
  readonly reason: string;
  /** Username; null without a decision, for a decision at the due date, and for erased users. */
  readonly decidedBy: string | null;
  readonly decidedAt: Timestamp | null;
  readonly outcome: ReviewOutcome | null;
  /** Whether the viewer can decide: never on their own roles. */
  readonly obstacle: 'own' | 'group' | null;
}

export interface ReviewLinePage extends Page<ReviewLineRow> {
  readonly count: number;
}

export const startAccessReviewInput = z.object({
  days: z.int().min(REVIEW_DAYS.least).max(REVIEW_DAYS.most).default(REVIEW_DAYS.usual),
  overdue: z.enum(overdueActs).default('keep'),
});
export type NewAccessReview = z.output<typeof startAccessReviewInput>;

export const accessReviewReference = z.object({ id: idSchema });

export const lineShows = ['undecided', 'keep', 'remove', 'all'] as const;
export type LineShow = (typeof lineShows)[number];

export const listReviewLinesInput = z.object({
  reviewId: idSchema,
  show: z.enum(lineShows).default('undecided'),
  /** Matches usernames and roles. */
  text: z.string().trim().max(200).default(''),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});
export type ListReviewLines = z.output<typeof listReviewLinesInput>;

/** Lines that one call can decide. */
export const MOST_DECIDED = 200;

export const decideReviewLinesInput = z
  .object({
    reviewId: idSchema,
    lineIds: z.array(idSchema).min(1).max(MOST_DECIDED),
    decision: z.enum(reviewDecisions),
    reason: z.string().trim().max(500).default(''),
  })
  .refine(({ decision, reason }) => decision === 'keep' || reason !== '', {
    path: ['reason'],
    message: 'is required to remove a role',
  });
export type ReviewLinesDecision = z.output<typeof decideReviewLinesInput>;

/** All lines of a review as CSV (RFC 4180). */
export interface ReviewExport {
  readonly fileName: string;
  readonly text: string;
}
