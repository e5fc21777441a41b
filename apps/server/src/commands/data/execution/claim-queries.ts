import { and, asc, eq, gt, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder, type PgColumn } from 'drizzle-orm/pg-core';
import { deviceConnections } from '../../../devices/data/device-connections.ts';
import { portalNow } from '../../../platform/columns.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { namedRows } from '../../../platform/database/named-rows.ts';
import { invocation } from '../commands-tables.ts';

/** An invocation that is about to be sent to its device. */
export type ClaimedInvocation = Omit<
  Awaited<ReturnType<typeof lockQueuedFor>>[number],
  'instanceId'
>;

/** The connection of a device, looked up by primary key per device. */
const connected = new QueryBuilder()
  .select({ instanceId: deviceConnections.instanceId })
  .from(deviceConnections)
  .where(
    and(
      eq(deviceConnections.deviceId, invocation.deviceId),
      inArray(deviceConnections.connectivity, ['online', 'degraded']),
      eq(deviceConnections.lifecycle, 'active'),
    ),
  )
  .limit(1)
  .as('connected');

interface Queued {
  readonly runId: string;
  readonly which: SQL | undefined;
  readonly orderBy: readonly PgColumn[];
  readonly limit: number;
}

const lockQueuedFor = (tx: Transaction, { runId, which, orderBy, limit }: Queued) =>
  tx
    .select({
      id: invocation.id,
      deviceId: invocation.deviceId,
      instanceId: connected.instanceId,
      attempt: invocation.attempt,
      deliverBefore: invocation.deliverBefore,
      expiresAt: invocation.expiresAt,
    })
    .from(invocation)
    .crossJoinLateral(connected)
    .where(
      and(
        eq(invocation.runId, runId),
        eq(invocation.state, 'Pending'),
        gt(invocation.deliverBefore, portalNow),
        which,
      ),
    )
    .orderBy(...orderBy.map((column) => asc(column)))
    .limit(limit)
    .for('update', { of: invocation, skipLocked: true });

async function claim(tx: Transaction, queued: Queued): Promise<ClaimedInvocation[]> {
  const free = await lockQueuedFor(tx, queued);
  if (free.length === 0) return [];
  const claimed = namedRows('claimed', { id: 'uuid', instanceId: 'text' }, free);
  await tx
    .update(invocation)
    .set({
      state: 'InProgress',
      statusDetails: 'InProgress',
      sentAt: portalNow,
      instanceId: sql`coalesce(${claimed.columns.instanceId}, ${invocation.instanceId})`,
    })
    .from(claimed.source)
    .where(eq(invocation.id, claimed.columns.id));
  return free.map(({ instanceId: _instanceId, ...row }) => row);
}

/** Claims queued invocations of a run on these devices. */
export const claimFor = (
  tx: Transaction,
  runId: string,
  { deviceIds, limit }: { readonly deviceIds: readonly string[]; readonly limit: number },
): Promise<ClaimedInvocation[]> =>
  claim(tx, {
    ...{ runId, limit },
    which: and(isAnyOf(invocation.deviceId, deviceIds), isNull(invocation.endedAt)),
    orderBy: [invocation.id],
  });

/**
 * Claims queued invocations of a run after an invocation, in the order of the run's index. Ordered by all columns of
 * that index, because with the ID alone the planner would scan the primary key of all invocations.
 */
export const claimAfter = (
  tx: Transaction,
  runId: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<ClaimedInvocation[]> =>
  claim(tx, {
    ...{ runId, limit },
    which: after === null ? undefined : gt(invocation.id, after),
    orderBy: [invocation.runId, invocation.state, invocation.id],
  });
