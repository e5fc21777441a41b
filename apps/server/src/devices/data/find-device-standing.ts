import { eq } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { currentInstances } from './current-instances.ts';
import { deviceConnections } from './device-connections.ts';
import { deviceRecords } from './device-records.ts';
import { deviceStanding } from './device-standing.ts';

/** State of a device and its agent. The caller has checked that the viewer can see it. */
export async function findDeviceStanding(on: Executor, deviceId: string) {
  const [found] = await on
    .select({ ...deviceStanding, instanceId: currentInstances.instanceId })
    .from(deviceRecords)
    .leftJoin(deviceConnections, eq(deviceConnections.deviceId, deviceRecords.deviceId))
    .leftJoin(currentInstances, eq(currentInstances.deviceId, deviceRecords.deviceId))
    .where(eq(deviceRecords.deviceId, deviceId));
  return found;
}
