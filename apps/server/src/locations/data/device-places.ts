import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceLocation } from './locations-tables.ts';

/** Where devices are, to be joined by `deviceId`. Who shows it rounds it with `placeFor`. */
export const devicePlaces = new QueryBuilder()
  .select({
    deviceId: deviceLocation.deviceId,
    at: deviceLocation.at,
    latitude: deviceLocation.latitude,
    longitude: deviceLocation.longitude,
    accuracyMeters: deviceLocation.accuracyMeters,
    source: deviceLocation.source,
    country: deviceLocation.country,
  })
  .from(deviceLocation)
  .as('device_place');
