import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceLocation } from './locations-tables.ts';

/** Locations of devices, to be joined by `deviceId`. Round them with `placeFor` before they are shown. */
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
