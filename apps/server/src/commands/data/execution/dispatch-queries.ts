import { and, eq, isNull } from 'drizzle-orm';
import type { Transaction } from '../../../platform/database/database.ts';
import { commandRun } from '../commands-tables.ts';

/** The state of a run that determines how much of it can be sent now. */
const openRun = (tx: Transaction, runId: string) =>
  tx
    .select({
      state: commandRun.state,
      maxConcurrency: commandRun.maxConcurrency,
      maxErrors: commandRun.maxErrors,
      targetCount: commandRun.targetCount,
      pendingCount: commandRun.pendingCount,
      inProgressCount: commandRun.inProgressCount,
      rampLimit: commandRun.rampLimit,
      failedCount: commandRun.failedCount,
      timedOutCount: commandRun.timedOutCount,
      protocol: commandRun.protocol,
    })
    .from(commandRun)
    .where(and(eq(commandRun.id, runId), isNull(commandRun.endedAt)))
    .$dynamic();

/** Undefined if the run has ended. */
export async function findRunToDispatch(tx: Transaction, runId: string) {
  const [found] = await openRun(tx, runId);
  return found;
}

/** Like `findRunToDispatch`, locked until the transaction ends. */
export async function lockRunToDispatch(tx: Transaction, runId: string) {
  const [found] = await openRun(tx, runId).for('update');
  return found;
}
