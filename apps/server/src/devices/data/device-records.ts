import { QueryBuilder } from 'drizzle-orm/pg-core';
import { device } from './devices-tables.ts';

/**
 * What is on record of a device, to be joined by `deviceId`.
 *
 * @param alias its name in the statement
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
