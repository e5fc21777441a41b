import { asc, eq } from 'drizzle-orm';
import { currentInstances } from '../../devices/data/current-instances.ts';
import { deviceConnections } from '../../devices/data/device-connections.ts';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { devicePlaces } from '../../locations/data/device-places.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';

/** Facts of the devices themselves. */
export async function readDeviceFacts(on: Executor, deviceIds: readonly string[]) {
  const { deviceId } = deviceRecords;
  return on
    .select({
      deviceId,
      lifecycle: deviceRecords.lifecycle,
      connectivity: deviceConnections.connectivity,
      connectivitySince: deviceConnections.connectivitySince,
      disconnectReason: deviceConnections.disconnectReason,
      failing: deviceConnections.failing,
      diskUsedPercent: deviceConnections.diskUsedPercent,
      certificateEndsAt: currentInstances.certificateEndsAt,
      agentVersion: currentInstances.agentVersion,
      protocol: currentInstances.protocol,
      placeCountry: devicePlaces.country,
      placeAt: devicePlaces.at,
      placeSource: devicePlaces.source,
    })
    .from(deviceRecords)
    .leftJoin(deviceConnections, eq(deviceConnections.deviceId, deviceId))
    .leftJoin(currentInstances, eq(currentInstances.deviceId, deviceId))
    .leftJoin(devicePlaces, eq(devicePlaces.deviceId, deviceId))
    .where(isAnyOf(deviceId, deviceIds))
    .orderBy(asc(deviceId));
}
