import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceStatus } from './devices-tables.ts';

/** Connection and health of devices, for joins by `deviceId`. */
export const deviceConnections = new QueryBuilder()
  .select({
    deviceId: deviceStatus.deviceId,
    connectivity: deviceStatus.connectivity,
    connectivitySince: deviceStatus.connectivitySince,
    connectionId: deviceStatus.connectionId,
    disconnectReason: deviceStatus.disconnectReason,
    lastSeenAt: deviceStatus.lastSeenAt,
    seenRank: deviceStatus.seenRank,
    instanceId: deviceStatus.instanceId,
    agentVersion: deviceStatus.agentVersion,
    platform: deviceStatus.platform,
    softwareVersion: deviceStatus.softwareVersion,
    tavState: deviceStatus.tavState,
    failing: deviceStatus.failing,
    diskUsedPercent: deviceStatus.diskUsedPercent,
    memoryUsedPercent: deviceStatus.memoryUsedPercent,
    uptimeSeconds: deviceStatus.uptimeSeconds,
    heartbeatAt: deviceStatus.heartbeatAt,
    country: deviceStatus.country,
    model: deviceStatus.model,
    lifecycle: deviceStatus.lifecycle,
    name: deviceStatus.name,
  })
  .from(deviceStatus)
  .as('device_connection');
