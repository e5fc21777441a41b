import { and, asc, eq, gt, inArray, not, sql } from 'drizzle-orm';
import type { Scope } from '@deviceportal/contract/permissions';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { isEverywhere } from '../../is-everywhere.ts';
import { deviceInstance, deviceStatus } from '../devices-tables.ts';
import { isDeviceWithin } from '../is-device-within.ts';

const { deviceId, connectivity, lifecycle, connectivitySince } = deviceStatus;
const isConnected = inArray(connectivity, ['online', 'degraded']);
const BLOCKED_AT_ONCE = 1_000;

/** The next connected devices, sorted by ID. */
export async function listConnectedAfter(
  on: Executor,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await on
    .select({ deviceId })
    .from(deviceStatus)
    .where(and(isConnected, gt(deviceId, after)))
    .orderBy(asc(deviceId))
    .limit(limit);
  return rows.map((row) => row.deviceId);
}

/** The next connected devices with the keys that their current agents trust. */
export async function listTrustedKeysAfter(on: Executor, after: string, limit: number) {
  const instance = deviceInstance;
  return on
    .select({
      deviceId: instance.deviceId,
      instanceId: instance.id,
      runKeyIds: instance.runKeyIds,
      releaseKeyIds: instance.releaseKeyIds,
    })
    .from(instance)
    .innerJoin(deviceStatus, eq(deviceId, instance.deviceId))
    .where(and(eq(instance.state, 'current'), isConnected, gt(instance.deviceId, after)))
    .orderBy(asc(instance.deviceId))
    .limit(limit);
}

/** Whether a device is connected, locked until the transaction ends. */
export async function isConnectedNow(tx: Transaction, id: string): Promise<boolean> {
  const [found] = await tx
    .select({ isConnected: sql<boolean>`${isConnected}` })
    .from(deviceStatus)
    .where(eq(deviceId, id))
    .for('share');
  return found?.isConnected === true;
}

/** Those of the devices that may be connected, and are not. */
export async function findNotConnected(on: Executor, ids: readonly string[]): Promise<string[]> {
  const rows = await on
    .select({ deviceId })
    .from(deviceStatus)
    .where(and(isAnyOf(deviceId, ids), eq(lifecycle, 'active'), not(isConnected)));
  return rows.map((row) => row.deviceId);
}

/** Connected devices that are not allowed to be connected, up to a limit. */
export async function findBlockedConnections(on: Executor): Promise<string[]> {
  const rows = await on
    .select({ deviceId })
    .from(deviceStatus)
    .where(and(isConnected, inArray(lifecycle, ['suspended', 'retired'])))
    .limit(BLOCKED_AT_ONCE);
  return rows.map((row) => row.deviceId);
}

/** Connection states of the devices that are within the scopes. */
export async function findConnectionStates(
  on: Executor,
  scopes: readonly Scope[],
  ids: readonly string[],
) {
  return on
    .select({
      id: deviceId,
      connectivity,
      connectivitySince,
      lastSeenAt: deviceStatus.lastSeenAt,
      disconnectReason: deviceStatus.disconnectReason,
      failing: deviceStatus.failing,
    })
    .from(deviceStatus)
    .where(
      and(
        isAnyOf(deviceId, ids),
        // With an unlimited scope, no other table is read.
        scopes.some(isEverywhere) ? undefined : isDeviceWithin(scopes, deviceId),
      ),
    );
}
