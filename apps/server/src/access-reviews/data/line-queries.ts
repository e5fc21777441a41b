import { and, asc, count, eq, getTableColumns, isNull, or, sql, type SQL } from 'drizzle-orm';
import type {
  ListReviewLines,
  ReviewDecision,
  ReviewOutcome,
} from '@deviceportal/contract/access-reviews';
import { userNames, userNamesAs } from '../../access/data/user-names.ts';
import { portalClock } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { likeLiteral } from '../../platform/database/like-literal.ts';
import { accessReviewLine } from './access-reviews-tables.ts';

type Line = typeof accessReviewLine.$inferSelect;

/** A line with the current names of its users. */
export interface NamedLine extends Line {
  readonly username: string;
  readonly decidedBy: string | null;
}

const ROWS_AT_ONCE = 1_000;

export async function insertLines(
  tx: Transaction,
  lines: readonly (typeof accessReviewLine.$inferInsert)[],
): Promise<void> {
  for (let from = 0; from < lines.length; from += ROWS_AT_ONCE) {
    await tx.insert(accessReviewLine).values(lines.slice(from, from + ROWS_AT_ONCE));
  }
}

const decider = userNamesAs('decider');

const selectNamed = (on: Executor) =>
  on
    .select({
      ...getTableColumns(accessReviewLine),
      username: sql<string>`coalesce(${userNames.username}, ${accessReviewLine.userId}::text)`,
      decidedBy: sql<string | null>`${decider.username}`,
    })
    .from(accessReviewLine)
    .leftJoin(userNames, eq(userNames.userId, accessReviewLine.userId))
    .leftJoin(decider, eq(decider.userId, accessReviewLine.decidedById));

const sortKey = sql`lower(coalesce(${userNames.username}, ${accessReviewLine.userId}::text))`;

export interface LineQuery extends Pick<ListReviewLines, 'reviewId' | 'show' | 'text'> {
  readonly after: { readonly username: string; readonly id: string } | null;
  readonly limit: number;
}

/** Lines by username. */
export async function selectLines(on: Executor, query: LineQuery): Promise<NamedLine[]> {
  const { after, limit } = query;
  return selectNamed(on)
    .where(
      and(
        conditionOf(query),
        after === null
          ? undefined
          : sql`(${sortKey}, ${accessReviewLine.id}) > (lower(${after.username}), ${after.id}::uuid)`,
      ),
    )
    .orderBy(asc(sortKey), asc(accessReviewLine.id))
    .limit(limit);
}

export async function countLines(
  on: Executor,
  query: Pick<LineQuery, 'reviewId' | 'show' | 'text'>,
): Promise<number> {
  const [row] = await on
    .select({ lines: count() })
    .from(accessReviewLine)
    .leftJoin(userNames, eq(userNames.userId, accessReviewLine.userId))
    .where(conditionOf(query));
  return row?.lines ?? 0;
}

function conditionOf({
  reviewId,
  show,
  text,
}: Pick<LineQuery, 'reviewId' | 'show' | 'text'>): SQL | undefined {
  const pattern = `%${likeLiteral(text.toLowerCase())}%`;
  return and(
    eq(accessReviewLine.reviewId, reviewId),
    show === 'all'
      ? undefined
      : show === 'undecided'
        ? isNull(accessReviewLine.decision)
        : eq(accessReviewLine.decision, show),
    text === ''
      ? undefined
      : or(
          sql`lower(${userNames.username}) like ${pattern}`,
          sql`lower(${accessReviewLine.roleName}) like ${pattern}`,
          sql`lower(${accessReviewLine.apiTokenName}) like ${pattern}`,
        ),
  );
}

/** Undecided lines of a review among these, or all, locked until the transaction ends. */
export async function lockUndecided(
  tx: Transaction,
  reviewId: string,
  among: readonly string[] | 'all',
): Promise<Line[]> {
  return tx
    .select()
    .from(accessReviewLine)
    .where(
      and(
        eq(accessReviewLine.reviewId, reviewId),
        isNull(accessReviewLine.decision),
        among === 'all' ? undefined : isAnyOf(accessReviewLine.id, among),
      ),
    )
    .orderBy(asc(accessReviewLine.id))
    .for('update');
}

export async function countUndecided(on: Executor, reviewId: string): Promise<number> {
  return on.$count(
    accessReviewLine,
    and(eq(accessReviewLine.reviewId, reviewId), isNull(accessReviewLine.decision)),
  );
}

export interface LineDecision {
  readonly decision: ReviewDecision;
  readonly reason: string;
  /** Null for a decision at the due date. */
  readonly decidedById: string | null;
  readonly outcome: ReviewOutcome;
}

export async function storeDecision(
  tx: Transaction,
  lineId: string,
  decision: LineDecision,
): Promise<void> {
  await tx
    .update(accessReviewLine)
    .set({ ...decision, decidedAt: portalClock })
    .where(eq(accessReviewLine.id, lineId));
}
