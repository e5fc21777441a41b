import { sql, type SQL } from 'drizzle-orm';
import { deviceConnections } from './device-connections.ts';
import { deviceRecords } from './device-records.ts';

/** The serial number of a device, or its name if that is unknown. */
export const deviceLabel = ({
  serialNumber,
  name,
}: Pick<typeof deviceRecords, 'serialNumber' | 'name'> = deviceRecords): SQL<string> =>
  sql<string>`coalesce(${serialNumber}, ${name})`;

/** State of a device, for explanations: columns of `deviceRecords` joined with `deviceConnections`. */
export const deviceStanding = {
  deviceId: deviceRecords.deviceId,
  deviceName: deviceLabel(),
  country: deviceRecords.country,
  model: deviceRecords.model,
  labels: deviceRecords.labels,
  lifecycle: deviceRecords.lifecycle,
  connectivity: deviceConnections.connectivity,
  connectivitySince: deviceConnections.connectivitySince,
  disconnectReason: deviceConnections.disconnectReason,
};
