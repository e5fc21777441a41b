import { QueryBuilder } from 'drizzle-orm/pg-core';
import { commandRun } from '../commands-tables.ts';

/** Progress of runs on all of their devices, for joins by `runId` or look-ups by sender and key. */
export const runProgress = new QueryBuilder()
  .select({
    runId: commandRun.id,
    createdById: commandRun.createdById,
    idempotencyKey: commandRun.idempotencyKey,
    endedAt: commandRun.endedAt,
    target: commandRun.targetCount,
    pending: commandRun.pendingCount,
    inProgress: commandRun.inProgressCount,
    success: commandRun.successCount,
    failed: commandRun.failedCount,
    timedOut: commandRun.timedOutCount,
    cancelled: commandRun.cancelledCount,
  })
  .from(commandRun)
  .as('run_progress');
