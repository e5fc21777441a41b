import { eq, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { jsonObject } from '../../platform/database/json-rows.ts';
import { scalar } from '../../platform/database/scalar.ts';
import { deviceLocation } from './locations-tables.ts';

/** The location of a device, as JSON. Round it with `placeFor` before it is shown. */
export const placeOfDevice = (deviceId: SQLWrapper) =>
  scalar(
    new QueryBuilder()
      .select({
        value: jsonObject({
          at: deviceLocation.at,
          latitude: deviceLocation.latitude,
          longitude: deviceLocation.longitude,
          accuracyMeters: deviceLocation.accuracyMeters,
          source: deviceLocation.source,
          country: deviceLocation.country,
        }),
      })
      .from(deviceLocation)
      .where(eq(deviceLocation.deviceId, deviceId)),
  );
