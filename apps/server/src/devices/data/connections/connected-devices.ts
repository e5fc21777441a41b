import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Executor } from '../../../platform/database/database.ts';
import { deviceInstance, deviceStatus } from '../devices-tables.ts';

const { deviceId, connectivity, lifecycle, connectivitySince, heartbeatAt } = deviceStatus;
const isConnected = inArray(connectivity, ['online', 'degraded']);
const BLOCKED_AT_ONCE = 1_000;
const GONE_AT_ONCE = 5_000;

/** The next connected devices in the order of their ids. */
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

/** The same, with the keys that their current agents trust. */
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

/** Some of the devices that are connected and may not be. */
export async function findBlockedConnections(on: Executor): Promise<string[]> {
  const rows = await on
    .select({ deviceId })
    .from(deviceStatus)
    .where(and(isConnected, inArray(lifecycle, ['suspended', 'retired'])))
    .limit(BLOCKED_AT_ONCE);
  return rows.map((row) => row.deviceId);
}

/** Some of the degraded devices of which nothing has been heard since a moment. */
export async function findGoneDevices(on: Executor, since: Date): Promise<string[]> {
  const moment = sql`${since.toISOString()}::timestamptz`;
  const rows = await on
    .select({ deviceId })
    .from(deviceStatus)
    .where(
      and(
        eq(connectivity, 'degraded'),
        sql`${connectivitySince} < ${moment} and coalesce(${heartbeatAt}, '-infinity') < ${moment}`,
      ),
    )
    .limit(GONE_AT_ONCE);
  return rows.map((row) => row.deviceId);
}
