import { QueryBuilder } from 'drizzle-orm/pg-core';
import { device } from './devices-tables.ts';

/**
 * Attributes of devices, for joins by `deviceId`.
 *
 * @param alias name of the subquery
 */
export const deviceRecordsAs = <Alias extends string>(alias: Alias) =>
  new QueryBuilder()
    .select({
      deviceId: device.id,
      serialNumber: device.serialNumber,
      serialRank: device.serialRank,
      name: device.name,
      model: device.model,
      hardwareRevision: device.hardwareRevision,
      ownerId: device.ownerId,
      country: device.country,
      timeZone: device.timeZone,
      labels: device.labels,
      lifecycle: device.lifecycle,
      createdAt: device.createdAt,
    })
    .from(device)
    .as(alias);

export const deviceRecords = deviceRecordsAs('device_record');
