import { QueryBuilder } from 'drizzle-orm/pg-core';
import { geolocation } from './locations-tables.ts';

/**
 * Earlier locations of devices, to be looked up by `deviceId` and time. Round them with `placeFor` before they are
 * shown.
 */
export const earlierPlaces = new QueryBuilder()
  .select({
    deviceId: geolocation.deviceId,
    at: geolocation.at,
    latitude: geolocation.latitude,
    longitude: geolocation.longitude,
    accuracyMeters: geolocation.accuracyMeters,
    source: geolocation.source,
    country: geolocation.country,
  })
  .from(geolocation)
  .as('earlier_place');
