import { and, asc, count, eq, isNull, min, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { TableSource } from '@deviceportal/contract/data-sources';
import { columnNames } from '../../platform/database/column-names.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { setExcluded } from '../../platform/database/excluded.ts';
import { rowsFor } from '../../platform/database/rows-for.ts';
import { arrayOf } from '../../platform/database/rows-of.ts';
import { portalClock, portalNow } from '../../platform/columns.ts';
import { feedOutgoing, feedState } from './data-sources-tables.ts';

export type Outgoing = typeof feedOutgoing.$inferSelect;

const given = alias(feedOutgoing, 'given');
const { source, key, sortKey, seq, isErased, queuedAt } = feedOutgoing;

/**
 * Adds rows, or moves them to the end of the queue.
 *
 * @param rows at least one
 * @param limit null for none. It counts numbers, not rows: two lookups in an index
 * @returns false if the queue is full
 */
export async function insertOutgoing(
  tx: Transaction,
  of: TableSource,
  rows: readonly Omit<Outgoing, 'seq' | 'queuedAt'>[],
  limit: number | null,
): Promise<boolean> {
  const hasRoom =
    limit === null
      ? sql`true`
      : sql`exists (select from ${feedState} where ${feedState.source} = ${of} and ${feedState.fullSince} is null)
          and coalesce((select max(${seq}) - min(${seq}) from ${feedOutgoing} where ${source} = ${of}), 0) < ${limit}`;
  const { rowCount } = await tx.execute(sql`
    insert into ${feedOutgoing} (${columnNames(source, key, sortKey, isErased, queuedAt)})
    select ${given.source}, ${given.key}, ${given.sortKey}, ${given.isErased}, ${portalNow}
    from ${rowsFor(given, ['key', 'sortKey', 'source', 'isErased'], rows)}
    where ${hasRoom}
    order by ${given.key}, ${given.sortKey}
    on conflict (${columnNames(source, key, sortKey)}) do update
    set ${setExcluded(feedOutgoing, ['seq', 'isErased'])}`);
  return (rowCount ?? 0) > 0;
}

export async function markFull(tx: Transaction, of: TableSource): Promise<void> {
  await tx
    .update(feedState)
    .set({ fullSince: portalClock })
    .where(and(eq(feedState.source, of), isNull(feedState.fullSince)));
}

/** The oldest rows. */
export async function selectOutgoing(on: Executor, of: TableSource, limit: number) {
  return on.select().from(feedOutgoing).where(eq(source, of)).orderBy(asc(seq)).limit(limit);
}

/** Deletes rows by their numbers: those that were queued again have another one. */
export async function deleteOutgoing(
  on: Executor,
  of: TableSource,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return;
  await on
    .delete(feedOutgoing)
    .where(and(eq(source, of), sql`${seq} = any(${arrayOf('bigint', numbers)})`));
}

/** Those of these keys whose item was erased here and is not yet removed from the outside table. */
export async function selectErased(
  on: Executor,
  of: TableSource,
  keys: readonly Pick<Outgoing, 'key' | 'sortKey'>[],
): Promise<Pick<Outgoing, 'key' | 'sortKey'>[]> {
  if (keys.length === 0) return [];
  return on
    .select({ key, sortKey })
    .from(rowsFor(given, ['key', 'sortKey'], keys))
    .innerJoin(
      feedOutgoing,
      and(eq(source, of), eq(key, given.key), eq(sortKey, given.sortKey), isErased),
    );
}

/** Number of rows, and the time of the oldest change among them. */
export async function measureOutgoing(
  on: Executor,
  of: TableSource,
): Promise<{ readonly count: number; readonly oldestAt: Date | null }> {
  const [found] = await on
    .select({ count: count(), oldestAt: min(queuedAt) })
    .from(feedOutgoing)
    .where(eq(source, of));
  return found ?? { count: 0, oldestAt: null };
}

/** Empties the queue of a source, except for erased items. */
export async function clearOutgoing(tx: Transaction, of: TableSource): Promise<void> {
  await tx.delete(feedOutgoing).where(and(eq(source, of), eq(isErased, false)));
}
