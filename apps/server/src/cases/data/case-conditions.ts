import { and, eq, exists, inArray, like, lt, ne, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { CaseRow } from '@deviceportal/contract/cases';
import { activeUsers } from '../../access/data/active-users.ts';
import { portalNow } from '../../platform/columns.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { likeLiteral } from '../../platform/database/like-literal.ts';
import { priorityRank } from '../case-priority.ts';
import { caseWorker, dueOrNever, supportCase } from './cases-tables.ts';

/** Conditions for cases; absent or null does not limit. */
export interface CaseFilter {
  readonly id?: string;
  readonly ids?: readonly string[];
  readonly state?: CaseRow['state'] | null;
  readonly outcome?: CaseRow['outcome'];
  readonly personId?: string | null;
  readonly personIds?: readonly string[];
  /** Prefix of a ticket, case-insensitive. */
  readonly ticket?: string;
  /** Cases in which this user works or has worked. */
  readonly workerId?: string | undefined;
  /** The user who is responsible, or `none`. */
  readonly assignee?: string | null;
  readonly priority?: CaseRow['priority'] | null;
  /** The whole name of a queue, case-insensitive; empty does not limit. */
  readonly queue?: string;
  /** Open cases whose due time has passed. */
  readonly overdue?: boolean;
}

const given = <Value>(
  value: Value | null | undefined,
  condition: (value: Value) => SQL | undefined,
): SQL | undefined => (value === null || value === undefined ? undefined : condition(value));

export const caseConditions = (filter: CaseFilter): SQL | undefined =>
  and(
    given(filter.id, (id) => eq(supportCase.id, id)),
    given(filter.ids, (ids) => isAnyOf(supportCase.id, ids)),
    given(filter.state, (state) => eq(supportCase.state, state)),
    given(filter.outcome, (outcome) => eq(supportCase.outcome, outcome)),
    given(filter.personId, (personId) => eq(supportCase.personId, personId)),
    given(filter.personIds, (personIds) => inArray(supportCase.personId, [...personIds])),
    filter.ticket ? ticketBegins(filter.ticket) : undefined,
    given(filter.workerId, worksIn),
    given(filter.assignee, (assignee) =>
      assignee === NO_ASSIGNEE
        ? sql`not ${hasActiveAssignee}`
        : eq(supportCase.assigneeId, assignee),
    ),
    given(filter.priority, (priority) => eq(supportCase.priority, priorityRank(priority))),
    filter.queue ? inQueue(filter.queue) : undefined,
    filter.overdue
      ? and(eq(supportCase.state, 'open'), lt(dueOrNever(supportCase.dueAt), portalNow))
      : undefined,
  );

const NO_ASSIGNEE = 'none';

/** False also for a case whose assignee can no longer sign in. */
export const hasActiveAssignee: SQL<boolean> = sql<boolean>`${exists(
  new QueryBuilder()
    .select({ userId: activeUsers.userId })
    .from(activeUsers)
    .where(eq(activeUsers.userId, supportCase.assigneeId)),
)}`;

const inQueue = (queue: string): SQL | undefined =>
  and(ne(supportCase.queue, ''), eq(sql`lower(${supportCase.queue})`, queue.toLowerCase()));

/** Case-insensitive prefix match, by the index of tickets. */
const ticketBegins = (beginning: string): SQL =>
  like(sql`lower(${supportCase.ticket})`, `${likeLiteral(beginning.toLowerCase())}%`);

const worksIn = (userId: string): SQL =>
  inArray(
    supportCase.id,
    new QueryBuilder()
      .select({ caseId: caseWorker.caseId })
      .from(caseWorker)
      .where(eq(caseWorker.userId, userId)),
  );
