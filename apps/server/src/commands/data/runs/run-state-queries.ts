import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { commandRun, invocation } from '../commands-tables.ts';

/** False if the run is paused, being canceled, or ended. */
export async function markRunPaused(
  tx: Transaction,
  { id, at, by }: { readonly id: string; readonly at: Date; readonly by: string },
): Promise<boolean> {
  const { rowCount } = await tx
    .update(commandRun)
    .set({ state: 'Paused', statusDetails: 'Paused', pausedAt: at, pausedBy: by })
    .where(
      and(
        eq(commandRun.id, id),
        isNull(commandRun.endedAt),
        inArray(commandRun.state, ['Pending', 'InProgress']),
      ),
    );
  return rowCount === 1;
}

/** False if the run is not paused. */
export async function markRunResumed(tx: Transaction, id: string): Promise<boolean> {
  const state = sql`case when ${commandRun.pendingCount} < ${commandRun.targetCount}
    then 'InProgress' else 'Pending' end`;
  const { rowCount } = await tx
    .update(commandRun)
    .set({ state, statusDetails: state, pausedAt: null, pausedBy: null })
    .where(and(eq(commandRun.id, id), isNull(commandRun.endedAt), eq(commandRun.state, 'Paused')));
  return rowCount === 1;
}

export async function markRunCancelling(tx: Transaction, id: string): Promise<void> {
  await tx
    .update(commandRun)
    .set({ state: 'Cancelling', statusDetails: 'Cancelling' })
    .where(and(eq(commandRun.id, id), isNull(commandRun.endedAt)));
}

/** Invocations of a run that have not been sent. */
export async function findUnsent(on: Executor, runId: string) {
  return on
    .select({ invocationId: invocation.id, deviceId: invocation.deviceId })
    .from(invocation)
    .where(and(eq(invocation.runId, runId), inArray(invocation.state, ['Pending', 'Delayed'])))
    .orderBy(asc(invocation.id));
}
