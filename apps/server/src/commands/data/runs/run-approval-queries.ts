import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { effectSha256 } from '../../effect/effect-sha256.ts';
import type { PlannedEffect } from '../../effect/planned-effect.ts';
import { commandRun, invocation, runApproval } from '../commands-tables.ts';
import { sha256OfDevices } from '../sha256-of-devices.ts';

/** A run with its pending or decided approval. */
export type ApprovalRow = NonNullable<Awaited<ReturnType<typeof findRunApproval>>>;

export async function insertRunApproval(
  tx: Transaction,
  runId: string,
  effect: PlannedEffect,
): Promise<void> {
  await tx.insert(runApproval).values({ runId, effect, effectSha256: effectSha256(effect) });
}

/** Locks the approval, so that a concurrent decision waits and then finds it decided. */
export async function lockRunApproval(
  tx: Transaction,
  runId: string,
): Promise<ApprovalRow | undefined> {
  await tx
    .select({ runId: runApproval.runId })
    .from(runApproval)
    .where(eq(runApproval.runId, runId))
    .for('update');
  return findRunApproval(tx, runId);
}

/** Undefined if the run needs no approval. */
export async function findRunApproval(on: Executor, runId: string) {
  const [found] = await on
    .select({
      id: commandRun.id,
      command: commandRun.command,
      documentName: commandRun.documentName,
      documentVersion: commandRun.documentVersion,
      parameters: commandRun.parameters,
      maxConcurrency: commandRun.maxConcurrency,
      maxErrors: commandRun.maxErrors,
      timeoutSeconds: commandRun.timeoutSeconds,
      undoesRunId: commandRun.undoesRunId,
      state: commandRun.state,
      consequence: commandRun.consequence,
      targetCount: commandRun.targetCount,
      executionTimeoutSeconds: commandRun.executionTimeoutSeconds,
      createdById: commandRun.createdById,
      createdBy: commandRun.createdBy,
      createdAt: commandRun.createdAt,
      deliverBefore: commandRun.deliverBefore,
      endedAt: commandRun.endedAt,
      effect: runApproval.effect,
      effectSha256: runApproval.effectSha256,
      decision: runApproval.decision,
      decidedBy: runApproval.decidedBy,
      decidedAt: runApproval.decidedAt,
      comment: runApproval.comment,
    })
    .from(runApproval)
    .innerJoin(commandRun, eq(commandRun.id, runApproval.runId))
    .where(eq(runApproval.runId, runId));
  return found;
}

export async function storeDecision(
  tx: Transaction,
  runId: string,
  decided: {
    readonly verdict: NonNullable<ApprovalRow['decision']>;
    readonly byId: string;
    readonly by: string;
    readonly at: Date;
    readonly comment: string;
  },
): Promise<void> {
  await tx
    .update(runApproval)
    .set({
      decision: decided.verdict,
      decidedById: decided.byId,
      decidedBy: decided.by,
      decidedAt: decided.at,
      comment: decided.comment,
    })
    .where(eq(runApproval.runId, runId));
}

interface RunTimes {
  readonly deliverBefore: Date;
  readonly expiresAt: Date;
}

/** Sets the timeouts of the open invocations of a run. */
export async function setTimesOfOpen(
  tx: Transaction,
  runId: string,
  { deliverBefore, expiresAt }: RunTimes,
): Promise<void> {
  await tx
    .update(invocation)
    .set({ deliverBefore, expiresAt })
    .where(and(eq(invocation.runId, runId), isNull(invocation.endedAt)));
}

/**
 * Releases a run after its approval, with timeouts from now on. False if it no longer needs approval. Locks invocations
 * before their run, like all code that locks both.
 */
export async function releaseRun(
  tx: Transaction,
  runId: string,
  times: RunTimes,
): Promise<boolean> {
  await setTimesOfOpen(tx, runId, times);
  const { deliverBefore, expiresAt } = times;
  const { rowCount } = await tx
    .update(commandRun)
    .set({ state: 'Pending', statusDetails: 'Pending', deliverBefore, expiresAt })
    .where(
      and(eq(commandRun.id, runId), eq(commandRun.state, 'Approval'), isNull(commandRun.endedAt)),
    );
  return rowCount === 1;
}

/** Devices on which a run has not ended. `ids`: 16 bytes each, sorted. */
export async function summarizeOpenDevices(
  on: Executor,
  runId: string,
): Promise<PlannedEffect['devices'] & { readonly ids: Buffer }> {
  const { deviceId } = invocation;
  const [found] = await on
    .select({
      sha256: sha256OfDevices(deviceId),
      count: sql<number>`count(*)::int`,
      ids: sql<Buffer>`coalesce(string_agg(uuid_send(${deviceId}), ''::bytea order by ${deviceId}), ''::bytea)`,
    })
    .from(invocation)
    .where(and(eq(invocation.runId, runId), isNull(invocation.endedAt)));
  return found ?? { sha256: '', count: 0, ids: Buffer.alloc(0) };
}
