import { and, eq, inArray, like, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { CaseRow } from '@deviceportal/contract/cases';
import { likeLiteral } from '../../platform/database/like-literal.ts';
import type { MomentCursor } from '../../platform/moment-cursor.ts';
import { caseWorker, supportCase } from './cases-tables.ts';

/** Conditions for cases; absent or null does not limit. */
export interface CaseFilter {
  readonly id?: string;
  readonly state?: CaseRow['state'] | null;
  readonly outcome?: CaseRow['outcome'];
  readonly personId?: string | null;
  readonly personIds?: readonly string[];
  /** Prefix of a ticket, case-insensitive. */
  readonly ticket?: string;
  /** Cases in which this user works or has worked. */
  readonly workerId?: string | undefined;
  readonly after?: MomentCursor | null;
}

const given = <Value>(
  value: Value | null | undefined,
  condition: (value: Value) => SQL | undefined,
): SQL | undefined => (value === null || value === undefined ? undefined : condition(value));

export const caseConditions = (filter: CaseFilter): SQL | undefined =>
  and(
    given(filter.id, (id) => eq(supportCase.id, id)),
    given(filter.state, (state) => eq(supportCase.state, state)),
    given(filter.outcome, (outcome) => eq(supportCase.outcome, outcome)),
    given(filter.personId, (personId) => eq(supportCase.personId, personId)),
    given(filter.personIds, (personIds) => inArray(supportCase.personId, [...personIds])),
    filter.ticket ? ticketBegins(filter.ticket) : undefined,
    given(filter.workerId, worksIn),
    given(
      filter.after,
      ({ at, id }) =>
        sql`(${supportCase.openedAt}, ${supportCase.id}) < (${at}::timestamptz, ${id}::uuid)`,
    ),
  );

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
