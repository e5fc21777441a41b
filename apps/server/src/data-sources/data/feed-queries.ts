import { and, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { TableSource } from '@deviceportal/contract/data-sources';
import { portalClock } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import type { Rejection } from '../feed-source.ts';
import { feedRejection, feedState } from './data-sources-tables.ts';

export type FeedState = typeof feedState.$inferSelect;

const { source, turn, target } = feedState;
/** Rejections kept of each source. */
const KEPT_REJECTIONS = 100;

export async function readFeed(on: Executor, of: TableSource): Promise<FeedState | undefined> {
  const [found] = await on.select().from(feedState).where(eq(source, of));
  return found;
}

/** Begins a source, or begins it anew with another table: all items are read and written. */
export async function beginFeed(on: Executor, of: TableSource, at: string): Promise<void> {
  await on
    .insert(feedState)
    .values({ source: of, target: at, allAfter: '' })
    .onConflictDoUpdate({
      target: source,
      set: {
        ...{ target: at, cursor: null, reads: 'table' as const, allAfter: '', allHorizon: null },
        ...{ since: portalClock, turn: sql`${turn} + 1`, readFault: null, writeFault: null },
        ...{ readFaultSince: null, writeFaultSince: null },
        ...{ lastReadAt: null, lastChangeAt: null, lastWriteAt: null, lagMs: null },
      },
      setWhere: sql`${target} <> ${at}`,
    });
}

/** @returns false if the cursor was moved by someone else */
export async function moveCursor(
  tx: Transaction,
  from: Pick<FeedState, 'source' | 'turn'>,
  to: Pick<FeedState, 'cursor' | 'reads' | 'lagMs'> & {
    readonly changes: number;
    readonly applied: number;
    readonly rejected: number;
  },
): Promise<boolean> {
  const { cursor, reads, lagMs, changes, applied, rejected } = to;
  const { rowCount } = await tx
    .update(feedState)
    .set({
      ...{ cursor, reads, lagMs, readFault: null, readFaultSince: null, turn: sql`${turn} + 1` },
      applied: sql`${feedState.applied} + ${applied}`,
      rejected: sql`${feedState.rejected} + ${rejected}`,
      lastReadAt: portalClock,
      ...(changes > 0 && { lastChangeAt: portalClock }),
    })
    .where(and(eq(source, from.source), eq(turn, from.turn)));
  return rowCount === 1;
}

/** Reads the table again from the start. @returns false if the source is not configured */
export async function resetCursor(tx: Transaction, of: TableSource): Promise<boolean> {
  const { rowCount } = await tx
    .update(feedState)
    .set({ cursor: null, reads: 'table', lagMs: null, turn: sql`${turn} + 1` })
    .where(eq(source, of));
  return rowCount === 1;
}

export async function recordFault(
  on: Executor,
  of: TableSource,
  way: 'readFault' | 'writeFault',
  fault: string,
): Promise<void> {
  await on
    .update(feedState)
    .set({
      ...{ [way]: fault, lastFault: fault, lastFaultAt: portalClock },
      [`${way}Since`]: sql`coalesce(${feedState[`${way}Since`]}, ${portalClock})`,
    })
    .where(eq(source, of));
}

export async function recordWritten(on: Executor, of: TableSource, written: number): Promise<void> {
  await on
    .update(feedState)
    .set({
      ...{ writeFault: null, writeFaultSince: null },
      lastWriteAt: portalClock,
      written: sql`${feedState.written} + ${written}`,
    })
    .where(eq(source, of));
}

/** Queues changes again, and begins to write all items. */
export async function beginAll(tx: Transaction, of: TableSource): Promise<void> {
  await tx
    .update(feedState)
    .set({ fullSince: null, allAfter: '', allHorizon: null })
    .where(eq(source, of));
}

/**
 * Whether every transaction that did not queue its changes has ended. The first call sets the
 * horizon: a transaction ID higher than theirs.
 */
export async function isAllSettled(on: Executor, of: TableSource): Promise<boolean> {
  const { allHorizon } = feedState;
  await on
    .update(feedState)
    .set({ allHorizon: sql`pg_current_xact_id()::text::bigint` })
    .where(and(eq(source, of), isNull(allHorizon)));
  // A number in the future is that of another database server, from which this one was restored.
  const [found] = await on
    .select({ source })
    .from(feedState)
    .where(
      and(
        eq(source, of),
        sql`(pg_snapshot_xmin(pg_current_snapshot())::text::bigint > ${allHorizon}
          or pg_snapshot_xmax(pg_current_snapshot())::text::bigint <= ${allHorizon})`,
      ),
    );
  return found !== undefined;
}

export async function moveAll(
  on: Executor,
  of: TableSource,
  from: string,
  next: string | null,
): Promise<void> {
  await on
    .update(feedState)
    .set({ allAfter: next })
    .where(and(eq(source, of), eq(feedState.allAfter, from), isNotNull(feedState.allHorizon)));
}

/** Adds rejections, and deletes older ones. */
export async function insertRejections(
  tx: Transaction,
  of: TableSource,
  rejections: readonly Rejection[],
): Promise<void> {
  const kept = rejections.slice(-KEPT_REJECTIONS);
  if (kept.length === 0) return;
  await tx
    .insert(feedRejection)
    .values(kept.map((each) => ({ ...each, source: of, at: portalClock })));
  const first = tx
    .select({ id: feedRejection.id })
    .from(feedRejection)
    .where(eq(feedRejection.source, of))
    .orderBy(desc(feedRejection.id))
    .offset(KEPT_REJECTIONS - 1)
    .limit(1);
  await tx
    .delete(feedRejection)
    .where(and(eq(feedRejection.source, of), lt(feedRejection.id, sql`(${first})`)));
}

export async function selectRejections(on: Executor, of: TableSource, limit: number) {
  const { key, reason, detail, at } = feedRejection;
  return on
    .select({ key, reason, detail, at })
    .from(feedRejection)
    .where(eq(feedRejection.source, of))
    .orderBy(desc(feedRejection.id))
    .limit(limit);
}
