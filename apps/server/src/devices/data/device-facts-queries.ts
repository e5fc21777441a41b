import { desc, eq, sql } from 'drizzle-orm';
import { lastEndedInvocation } from '../../commands/data/last-ended-invocation.ts';
import { placeOfDevice } from '../../locations/data/place-of-device.ts';
import type { Executor } from '../../platform/database/database.ts';
import { jsonArray, jsonObject } from '../../platform/database/json-rows.ts';
import { scalar } from '../../platform/database/scalar.ts';
import { softwareOfDevice } from '../../versions/data/software-of-device.ts';
import { checksSignatures } from './checks-signatures.ts';
import { device, deviceInstance, deviceInventory, deviceStatus } from './devices-tables.ts';

const LISTED_INSTANCES = 50;

/** Data of a device's screen in addition to its row, in one statement. Instances are sorted newest first. */
export async function selectDeviceFacts(on: Executor, deviceId: string) {
  const newest = on
    .select()
    .from(deviceInstance)
    .where(eq(deviceInstance.deviceId, device.id))
    .orderBy(desc(deviceInstance.enrolledAt))
    .limit(LISTED_INSTANCES)
    .as('newest_instance');
  const isCurrent = sql`${newest.state} = 'current'`;
  const lastPingAt = sql<string | null>`case when ${isCurrent}
    then greatest(${deviceStatus.heartbeatAt}, ${deviceStatus.lastSeenAt}, ${newest.lastPingAt})
    else ${newest.lastPingAt} end`;
  const instance = jsonObject({
    id: newest.id,
    state: newest.state,
    platformType: newest.platformType,
    platformName: newest.platformName,
    platformVersion: newest.platformVersion,
    architecture: newest.architecture,
    agentVersion: newest.agentVersion,
    checksSignatures: sql<
      boolean | null
    >`case when ${isCurrent} then ${checksSignatures(newest, deviceStatus)} end`,
    hostName: newest.hostName,
    ipAddress: newest.ipAddress,
    enrolledAt: newest.enrolledAt,
    lastPingAt,
    certificateFingerprint: newest.certificateFingerprint,
    certificateEndsAt: newest.certificateEndsAt,
  });
  const instances = on
    .select({ value: jsonArray(instance, { orderBy: desc(newest.enrolledAt) }) })
    .from(newest);
  const [found] = await on
    .select({
      timeZone: device.timeZone,
      updatedAt: device.updatedAt,
      diskUsedPercent: deviceStatus.diskUsedPercent,
      memoryUsedPercent: deviceStatus.memoryUsedPercent,
      uptimeSeconds: deviceStatus.uptimeSeconds,
      inventory: deviceInventory.data,
      inventoryAt: deviceInventory.at,
      instances: scalar(instances),
      software: softwareOfDevice(device),
      place: placeOfDevice(device.id),
      lastInvocation: lastEndedInvocation(device.id),
    })
    .from(device)
    .leftJoin(deviceStatus, eq(deviceStatus.deviceId, device.id))
    .leftJoin(deviceInventory, eq(deviceInventory.deviceId, device.id))
    .where(eq(device.id, deviceId));
  return found;
}
