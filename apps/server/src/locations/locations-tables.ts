import { bigserial, doublePrecision, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '../platform/columns.ts';

/** Where a device is: its newest position. */
export const deviceLocation = pgTable('device_location', {
  deviceId: uuid('device_id').primaryKey(),
  at: moment('at').notNull(),
  latitude: doublePrecision().notNull(),
  longitude: doublePrecision().notNull(),
  accuracyMeters: doublePrecision('accuracy_meters').notNull(),
  source: text().notNull(),
  country: text(),
});

/** Where it was. */
export const geolocation = pgTable(
  'geolocation',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    deviceId: uuid('device_id').notNull(),
    at: moment('at').notNull(),
    latitude: doublePrecision().notNull(),
    longitude: doublePrecision().notNull(),
    accuracyMeters: doublePrecision('accuracy_meters').notNull(),
    source: text().notNull(),
    country: text(),
  },
  (table) => [index('geolocation_by_device').on(table.deviceId, table.at)],
);
