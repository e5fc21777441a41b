import { eq } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceInstance } from './devices-tables.ts';

/** The current agent of each device, for joins by `deviceId`. */
export const currentInstances = new QueryBuilder()
  .select({
    deviceId: deviceInstance.deviceId,
    instanceId: deviceInstance.id,
    hostName: deviceInstance.hostName,
    ipAddress: deviceInstance.ipAddress,
    architecture: deviceInstance.architecture,
    agentVersion: deviceInstance.agentVersion,
    protocol: deviceInstance.protocol,
    platformType: deviceInstance.platformType,
    platformName: deviceInstance.platformName,
    platformVersion: deviceInstance.platformVersion,
    certificateEndsAt: deviceInstance.certificateEndsAt,
    webPages: deviceInstance.webPages,
  })
  .from(deviceInstance)
  .where(eq(deviceInstance.state, 'current'))
  .as('current_instance');
