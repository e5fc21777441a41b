import { and, asc, eq, inArray, isNotNull, isNull, type SQL } from 'drizzle-orm';
import { deviceConnections } from '../../../devices/data/device-connections.ts';
import { supersededInstances } from '../../../devices/data/superseded-instances.ts';
import { portalNow } from '../../../platform/columns.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { commandRun, invocation } from '../commands-tables.ts';

type Invocation = Readonly<typeof invocation.$inferSelect>;

/** An open invocation, locked by the caller. */
export type OpenInvocation = Pick<Invocation, keyof typeof openColumns>;

export const openColumns = {
  id: invocation.id,
  runId: invocation.runId,
  deviceId: invocation.deviceId,
  state: invocation.state,
};

const skipLocked = { of: invocation, skipLocked: true } as const;
const isOpen = isNull(invocation.endedAt);

/** Locks the open invocations of a run, or these invocations. */
export async function lockOpen(
  tx: Transaction,
  target: { readonly runId: string } | { readonly invocationIds: readonly string[] },
): Promise<OpenInvocation[]> {
  const which =
    'runId' in target
      ? eq(invocation.runId, target.runId)
      : isAnyOf(invocation.id, target.invocationIds);
  return tx
    .select(openColumns)
    .from(invocation)
    .where(and(which, isOpen))
    .orderBy(asc(invocation.id))
    .for('update');
}

/** Locks the queued invocations of a user. */
export async function lockQueued(
  tx: Transaction,
  userId: string,
  limit: number,
): Promise<OpenInvocation[]> {
  return tx
    .select(openColumns)
    .from(invocation)
    .innerJoin(commandRun, eq(commandRun.id, invocation.runId))
    .where(
      and(
        eq(commandRun.createdById, userId),
        isNull(commandRun.endedAt),
        isOpen,
        inArray(invocation.state, ['Pending', 'Delayed']),
      ),
    )
    .orderBy(asc(invocation.id))
    .limit(limit)
    .for('update', { of: invocation });
}

const among = (deviceIds: readonly string[] | 'all'): SQL | undefined =>
  deviceIds === 'all' ? undefined : isAnyOf(invocation.deviceId, deviceIds);

/** Locks open invocations on retired devices. */
export async function lockOnRetired(
  tx: Transaction,
  deviceIds: readonly string[] | 'all',
  limit: number,
): Promise<OpenInvocation[]> {
  return tx
    .select(openColumns)
    .from(invocation)
    .innerJoin(deviceConnections, eq(deviceConnections.deviceId, invocation.deviceId))
    .where(and(isOpen, eq(deviceConnections.lifecycle, 'retired'), among(deviceIds)))
    .orderBy(asc(invocation.id))
    .limit(limit)
    .for('update', skipLocked);
}

/** Locks invocations that were sent to superseded instances. */
export async function lockOnSuperseded(
  tx: Transaction,
  deviceIds: readonly string[] | 'all',
  limit: number,
): Promise<OpenInvocation[]> {
  return tx
    .select(openColumns)
    .from(invocation)
    .innerJoin(supersededInstances, eq(supersededInstances.instanceId, invocation.instanceId))
    .where(and(isOpen, isNotNull(invocation.sentAt), among(deviceIds)))
    .orderBy(asc(invocation.id))
    .limit(limit)
    .for('update', skipLocked);
}

export async function markEnded(
  tx: Transaction,
  ids: readonly string[],
  end: Pick<Invocation, 'state' | 'statusDetails'>,
): Promise<void> {
  await tx
    .update(invocation)
    .set({ ...end, endedAt: portalNow })
    .where(and(isAnyOf(invocation.id, ids), isOpen));
}

export async function markCancelling(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx
    .update(invocation)
    .set({ state: 'Cancelling', statusDetails: 'Cancelling', cancelRequestedAt: portalNow })
    .where(isAnyOf(invocation.id, ids));
}

/** Returns claimed invocations to the queue. */
export async function markUnsent(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.update(invocation).set({ sentAt: null }).where(isAnyOf(invocation.id, ids));
}
