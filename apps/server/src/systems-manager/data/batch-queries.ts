import { and, asc, eq, getTableColumns, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm';
import { newId } from '@deviceportal/contract/ids';
import { portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { managedInstance, ssmBatch, ssmBatchInvocation } from './systems-manager-tables.ts';

export type Batch = Readonly<typeof ssmBatch.$inferSelect>;

/** An invocation of a batch, and the instance that executes it. */
export type BatchMember = Readonly<Omit<typeof ssmBatchInvocation.$inferSelect, 'batchId'>>;

const { id, commandId, attempts, dueAt, endedAt } = ssmBatch;
const isOpen = isNull(endedAt);
const after = (seconds: number) => sql`${portalNow} + make_interval(secs => ${seconds})`;

/** Assigns invocations without a batch to new ones of at most this size. */
export async function insertBatches(
  tx: Transaction,
  runId: string,
  {
    invocations,
    size,
  }: {
    readonly invocations: readonly { readonly id: string; readonly deviceId: string }[];
    readonly size: number;
  },
): Promise<void> {
  const known = await tx
    .select({ id: ssmBatchInvocation.invocationId })
    .from(ssmBatchInvocation)
    .where(
      isAnyOf(
        ssmBatchInvocation.invocationId,
        invocations.map((one) => one.id),
      ),
    );
  const assigned = new Set(known.map((row) => row.id));
  const open = invocations.filter((one) => !assigned.has(one.id));
  if (open.length === 0) return;
  const instances = await tx
    .select({ deviceId: managedInstance.deviceId, instanceId: managedInstance.instanceId })
    .from(managedInstance)
    .where(
      isAnyOf(
        managedInstance.deviceId,
        open.map(({ deviceId }) => deviceId),
      ),
    );
  const instanceOf = new Map(instances.map((row) => [row.deviceId, row.instanceId]));
  const members = open.flatMap((one) => {
    const instanceId = instanceOf.get(one.deviceId);
    return instanceId === undefined
      ? []
      : [{ invocationId: one.id, deviceId: one.deviceId, instanceId }];
  });
  for (let from = 0; from < members.length; from += size)
    await insertBatch(tx, runId, members.slice(from, from + size));
}

/** Invocations that another transaction has assigned in the meantime stay in its batch. */
async function insertBatch(
  tx: Transaction,
  runId: string,
  members: readonly BatchMember[],
): Promise<void> {
  const batchId = newId();
  await tx.insert(ssmBatch).values({ id: batchId, runId });
  await tx
    .insert(ssmBatchInvocation)
    .values(members.map((member) => ({ ...member, batchId })))
    .onConflictDoNothing();
}

/** Replaces a batch by one for each of its invocations. */
export async function splitBatch(
  tx: Transaction,
  batch: Pick<Batch, 'id' | 'runId'>,
  members: readonly BatchMember[],
): Promise<void> {
  for (const { invocationId } of members) {
    const own = newId();
    await tx.insert(ssmBatch).values({ id: own, runId: batch.runId });
    await tx
      .update(ssmBatchInvocation)
      .set({ batchId: own })
      .where(eq(ssmBatchInvocation.invocationId, invocationId));
  }
  await endBatch(tx, batch.id);
}

/** Takes batches that are due, so that no other server takes them for some time. */
export async function takeDueBatches(
  on: Executor,
  { limit, seconds }: { readonly limit: number; readonly seconds: number },
): Promise<Batch[]> {
  const due = on.$with('due').as(
    on
      .select({ id })
      .from(ssmBatch)
      .where(and(isOpen, lte(dueAt, portalNow)))
      .orderBy(asc(dueAt))
      .limit(limit)
      .for('update', { skipLocked: true }),
  );
  return on
    .with(due)
    .update(ssmBatch)
    .set({ dueAt: after(seconds) })
    .from(due)
    .where(eq(id, due.id))
    .returning(getTableColumns(ssmBatch));
}

/** Records a call before it is made. False if another server has begun one since the batch was read. */
export async function beginAttempt(
  on: Executor,
  batch: Pick<Batch, 'id' | 'attempts'>,
  seconds: number,
): Promise<boolean> {
  const { rowCount } = await on
    .update(ssmBatch)
    .set({ attempts: batch.attempts + 1, dueAt: after(seconds) })
    .where(and(eq(id, batch.id), eq(attempts, batch.attempts), isNull(commandId), isOpen));
  return rowCount === 1;
}

/** For a call that Systems Manager has certainly refused. */
export async function undoAttempt(on: Executor, batchId: string): Promise<void> {
  await on
    .update(ssmBatch)
    .set({ attempts: sql`${attempts} - 1` })
    .where(and(eq(id, batchId), isNull(commandId)));
}

export async function storeCommand(on: Executor, batchId: string, command: string): Promise<void> {
  await on
    .update(ssmBatch)
    .set({ commandId: command, dueAt: portalNow })
    .where(and(eq(id, batchId), isNull(commandId)));
}

export async function postponeBatch(on: Executor, batchId: string, seconds: number): Promise<void> {
  await on
    .update(ssmBatch)
    .set({ dueAt: after(seconds) })
    .where(and(eq(id, batchId), isOpen));
}

export async function endBatch(on: Executor, batchId: string): Promise<void> {
  await on
    .update(ssmBatch)
    .set({ endedAt: portalNow })
    .where(and(eq(id, batchId), isOpen));
}

/** Makes the open batches of these commands due. */
export async function hastenCommands(on: Executor, commands: readonly string[]): Promise<void> {
  if (commands.length === 0) return;
  await on
    .update(ssmBatch)
    .set({ dueAt: portalNow })
    .where(and(isAnyOf(commandId, commands), isOpen));
}

export async function findMembers(on: Executor, batchId: string): Promise<BatchMember[]> {
  const { invocationId, deviceId, instanceId } = ssmBatchInvocation;
  return on
    .select({ invocationId, deviceId, instanceId })
    .from(ssmBatchInvocation)
    .where(eq(ssmBatchInvocation.batchId, batchId))
    .orderBy(asc(invocationId));
}

/** Commands that were sent for invocations, with their instances. */
export async function findCommandsOf(on: Executor, invocationIds: readonly string[]) {
  const rows = await on
    .select({ commandId, instanceId: ssmBatchInvocation.instanceId })
    .from(ssmBatchInvocation)
    .innerJoin(ssmBatch, eq(id, ssmBatchInvocation.batchId))
    .where(and(isAnyOf(ssmBatchInvocation.invocationId, invocationIds), isNotNull(commandId)));
  return Map.groupBy(rows, (row) => row.commandId ?? '');
}

/** Deletes batches that ended before a moment, with their invocations; at most so many. Returns how many. */
export async function deleteBatchesBefore(
  tx: Transaction,
  before: Date,
  limit: number,
): Promise<number> {
  const old = await tx
    .select({ id })
    .from(ssmBatch)
    .where(and(isNotNull(endedAt), lt(endedAt, before)))
    .orderBy(asc(endedAt))
    .limit(limit);
  const ids = old.map((row) => row.id);
  if (ids.length === 0) return 0;
  await tx.delete(ssmBatchInvocation).where(isAnyOf(ssmBatchInvocation.batchId, ids));
  await tx.delete(ssmBatch).where(isAnyOf(id, ids));
  return ids.length;
}
