import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import type {
  OverdueAct,
  ReviewDecision,
  ReviewLineKind,
  ReviewOutcome,
} from '@deviceportal/contract/access-reviews';
import type { Scope } from '@deviceportal/contract/permissions';
import { moment } from '../../platform/columns.ts';

/** A review of who holds which role. */
export const accessReview = pgTable(
  'access_review',
  {
    id: uuid().primaryKey(),
    startedAt: moment('started_at').notNull(),
    /** Null for a review that was started by schedule. */
    startedById: uuid('started_by_id'),
    dueAt: moment('due_at').notNull(),
    overdue: text().$type<OverdueAct>().notNull(),
    state: text().$type<'open' | 'closed'>().notNull(),
    closedAt: moment('closed_at'),
  },
  (table) => [
    // One at a time: decisions on one review must not be repeated in another.
    uniqueIndex('access_review_open')
      .on(table.state)
      .where(sql`${table.state} = 'open'`),
    index('access_review_newest').on(table.startedAt, table.id),
  ],
);

/** A role that a user or a service token held when the review started. */
export const accessReviewLine = pgTable(
  'access_review_line',
  {
    id: uuid().primaryKey(),
    reviewId: uuid('review_id').notNull(),
    userId: uuid('user_id').notNull(),
    roleId: uuid('role_id').notNull(),
    roleName: text('role_name').notNull(),
    kind: text().$type<ReviewLineKind>().notNull(),
    /** The temporary access, for the kind `temporary`. */
    accessGrantId: uuid('access_grant_id'),
    /** The token, for the kind `service-token`; the user has created it. */
    apiTokenId: uuid('api_token_id'),
    apiTokenName: text('api_token_name'),
    scope: jsonb().$type<Scope>().notNull(),
    permissions: integer().notNull(),
    until: moment('until'),
    lastSignInAt: moment('last_sign_in_at'),
    lastUsedAt: moment('last_used_at'),
    decision: text().$type<ReviewDecision>(),
    reason: text().notNull().default(''),
    /** Null for a decision at the due date. */
    decidedById: uuid('decided_by_id'),
    decidedAt: moment('decided_at'),
    outcome: text().$type<ReviewOutcome>(),
  },
  (table) => [
    index('access_review_line_of_review').on(table.reviewId, table.id),
    index('access_review_line_of_user').on(table.userId),
  ],
);
