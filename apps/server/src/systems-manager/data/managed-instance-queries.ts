import { and, asc, eq, gt, inArray, lt, ne } from 'drizzle-orm';
import { deviceConnections } from '../../devices/data/device-connections.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { excluded } from '../../platform/database/excluded.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { managedInstance } from './systems-manager-tables.ts';

type Managed = Readonly<typeof managedInstance.$inferSelect>;

const { deviceId, instanceId, listedAt } = managedInstance;

/** Those of the devices that Systems Manager manages. */
export async function findManagedAmong(
  on: Executor,
  deviceIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await on
    .select({ deviceId })
    .from(managedInstance)
    .where(isAnyOf(deviceId, deviceIds));
  return new Set(rows.map((row) => row.deviceId));
}

/** Devices of instances, by instance, locked in the order of instances. */
export async function lockManaged(
  tx: Transaction,
  instanceIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx
    .select({ instanceId, deviceId })
    .from(managedInstance)
    .where(isAnyOf(instanceId, instanceIds))
    .orderBy(instanceId)
    .for('update');
  return new Map(rows.map((row) => [row.instanceId, row.deviceId]));
}

export async function storeListed(tx: Transaction, listed: readonly Managed[]): Promise<void> {
  if (listed.length === 0) return;
  await tx
    .insert(managedInstance)
    .values([...listed])
    .onConflictDoUpdate({ target: deviceId, set: { listedAt: excluded(listedAt) } });
}

/** Managed instances in the order of their IDs, after one of them. */
export function findManagedPage(
  on: Executor,
  after: string,
  limit: number,
): Promise<Pick<Managed, 'deviceId' | 'instanceId'>[]> {
  return on
    .select({ deviceId, instanceId })
    .from(managedInstance)
    .where(gt(instanceId, after))
    .orderBy(asc(instanceId))
    .limit(limit);
}

/** Connected devices whose instances were not listed since a moment. */
export async function findVanished(on: Executor, since: Date): Promise<string[]> {
  const rows = await on
    .select({ deviceId })
    .from(managedInstance)
    .innerJoin(deviceConnections, eq(deviceConnections.deviceId, deviceId))
    .where(
      and(
        lt(listedAt, since),
        inArray(deviceConnections.connectivity, ['online', 'degraded', 'unknown']),
      ),
    );
  return rows.map((row) => row.deviceId);
}

/** Devices that are not retired, whose instances were not listed since a moment. */
export async function findUnlisted(on: Executor, since: Date): Promise<string[]> {
  const rows = await on
    .select({ deviceId })
    .from(managedInstance)
    .innerJoin(deviceConnections, eq(deviceConnections.deviceId, deviceId))
    .where(and(lt(listedAt, since), ne(deviceConnections.lifecycle, 'retired')));
  return rows.map((row) => row.deviceId);
}
