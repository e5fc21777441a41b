import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { portalNow } from '../../../platform/columns.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { namedRows } from '../../../platform/database/named-rows.ts';
import { arrayOf } from '../../../platform/database/rows-of.ts';
import type { Counter, DetailsCount } from '../../execution/run-state-machine.ts';
import { commandRun, invocation } from '../commands-tables.ts';
import { endedRun, writeOutcome, type RunEnd } from './outcome-queries.ts';

/** Changes of a run's counters. */
export type RunDelta = Readonly<Record<Counter, number>> & {
  readonly id: string;
  readonly ended: number;
};

/** The fields of a run that determine whether it continues. */
export type SettledRun = Awaited<ReturnType<typeof lockOpenRun>> & object;

const settled = {
  id: commandRun.id,
  state: commandRun.state,
  maxErrors: commandRun.maxErrors,
  targetCount: commandRun.targetCount,
  pendingCount: commandRun.pendingCount,
  inProgressCount: commandRun.inProgressCount,
  failedCount: commandRun.failedCount,
  timedOutCount: commandRun.timedOutCount,
};

const deltaTypes = {
  id: 'uuid',
  ended: 'integer',
  pending: 'integer',
  inProgress: 'integer',
  success: 'integer',
  failed: 'integer',
  timedOut: 'integer',
  cancelled: 'integer',
} as const;

/** Locks runs in the order of their IDs. */
export async function addToCounters(tx: Transaction, deltas: readonly RunDelta[]) {
  const run = commandRun;
  if (deltas.length > 1) {
    const ids = deltas.map(({ id }) => id);
    await tx
      .select({ id: run.id })
      .from(run)
      .where(isAnyOf(run.id, ids))
      .orderBy(asc(run.id))
      .for('update');
  }
  const { source, columns: delta } = namedRows('delta', deltaTypes, deltas);
  const begins = sql`${run.state} = 'Pending' and ${delta.pending} < 0`;
  return tx
    .update(run)
    .set({
      pendingCount: sql`${run.pendingCount} + ${delta.pending}`,
      inProgressCount: sql`${run.inProgressCount} + ${delta.inProgress}`,
      successCount: sql`${run.successCount} + ${delta.success}`,
      failedCount: sql`${run.failedCount} + ${delta.failed}`,
      timedOutCount: sql`${run.timedOutCount} + ${delta.timedOut}`,
      cancelledCount: sql`${run.cancelledCount} + ${delta.cancelled}`,
      rampLimit: sql`least(greatest(${run.targetCount}, 1), ${run.rampLimit} + ${delta.ended})`,
      state: sql`case when ${begins} then 'InProgress' else ${run.state} end`,
      statusDetails: sql`case when ${begins} then 'InProgress' else ${run.statusDetails} end`,
    })
    .from(source)
    .where(eq(run.id, delta.id))
    .returning({
      ...settled,
      /** Created some time ago, with more than one device. */
      isLate: sql<boolean>`${run.targetCount} > 1 and ${run.createdAt} < ${portalNow} - interval '1 minute'`,
    });
}

/** Undefined if the run has ended. */
export async function lockOpenRun(tx: Transaction, runId: string) {
  const [found] = await tx
    .select(settled)
    .from(commandRun)
    .where(and(eq(commandRun.id, runId), isNull(commandRun.endedAt)))
    .for('update');
  return found;
}

export async function countDetails(tx: Transaction, runId: string): Promise<DetailsCount> {
  const rows = await tx
    .select({ details: invocation.statusDetails, count: sql<number>`count(*)::int` })
    .from(invocation)
    .where(eq(invocation.runId, runId))
    .groupBy(invocation.statusDetails);
  return Object.fromEntries(rows.map(({ details, count }) => [details, count]));
}

/**
 * Terminates unsent invocations of a run. The caller holds the lock of the run, without which nothing of it is sent.
 */
export async function terminatePending(tx: Transaction, runId: string) {
  const open = await tx
    .select({ id: invocation.id, deviceId: invocation.deviceId, state: invocation.state })
    .from(invocation)
    .where(and(eq(invocation.runId, runId), inArray(invocation.state, ['Pending', 'Delayed'])))
    .for('update', { skipLocked: true });
  const count = open.length;
  if (count === 0) return open;
  const ids = arrayOf(
    'uuid',
    open.map(({ id }) => id),
  );
  await tx
    .update(invocation)
    .set({ state: 'Cancelled', statusDetails: 'Terminated', endedAt: portalNow })
    .where(sql`${invocation.id} = any(${ids})`);
  await tx
    .update(commandRun)
    .set({
      pendingCount: sql`${commandRun.pendingCount} - ${count}::int`,
      cancelledCount: sql`${commandRun.cancelledCount} + ${count}::int`,
    })
    .where(eq(commandRun.id, runId));
  return open;
}

/** Ends a run and stores its outcomes in one statement. False if it has already ended or has open invocations. */
export async function endRun(tx: Transaction, end: RunEnd): Promise<boolean> {
  const ended = endedRun(tx, end);
  const counted = tx.$with('counted', {}).as(writeOutcome(ended));
  const rows = await tx.with(ended, counted).select({ id: ended.id }).from(ended);
  return rows.length === 1;
}
