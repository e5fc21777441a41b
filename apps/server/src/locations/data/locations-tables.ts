import type { PlaceSource } from '@deviceportal/contract/devices';
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from '../../platform/columns.ts';

/** The latest location of a device. */
export const deviceLocation = pgTable(
  'device_location',
  {
    deviceId: uuid('device_id').primaryKey(),
    at: moment('at').notNull(),
    latitude: doublePrecision().notNull(),
    longitude: doublePrecision().notNull(),
    accuracyMeters: doublePrecision('accuracy_meters').notNull(),
    source: text().$type<PlaceSource>().notNull(),
    country: text(),
    /** The unit of the map's grid (`map-grid.ts`): the location rounded to 0.1 degree. */
    cellRow: smallint('cell_row')
      .notNull()
      .generatedAlwaysAs(sql`(floor(latitude * 10 + 0.5) + 900)::smallint`),
    cellColumn: smallint('cell_column')
      .notNull()
      .generatedAlwaysAs(sql`(floor(longitude * 10 + 0.5) + 1800)::smallint`),
  },
  (table) => [index('device_location_cell').on(table.cellRow, table.cellColumn, table.deviceId)],
);

/** The location history of devices. */
export const geolocation = pgTable(
  'geolocation',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    deviceId: uuid('device_id').notNull(),
    at: moment('at').notNull(),
    latitude: doublePrecision().notNull(),
    longitude: doublePrecision().notNull(),
    accuracyMeters: doublePrecision('accuracy_meters').notNull(),
    source: text().$type<PlaceSource>().notNull(),
    country: text(),
  },
  (table) => [index('geolocation_by_device').on(table.deviceId, table.at)],
);

/** Numbers of devices in service per map cell, for each stored zoom level and each filter. */
export const placeCount = pgTable(
  'place_count',
  {
    level: smallint().notNull(),
    cellRow: smallint('cell_row').notNull(),
    cellColumn: smallint('cell_column').notNull(),
    connectivity: text().notNull(),
    country: text().notNull(),
    model: text().notNull(),
    placeCountry: text('place_country').notNull(),
    devices: integer().notNull(),
    /** Sum over the rows and over the columns of all its devices: a cell is drawn at their mean. */
    rowSum: bigint('row_sum', { mode: 'number' }).notNull(),
    columnSum: bigint('column_sum', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({
      name: 'place_count_cell',
      columns: [
        table.level,
        table.cellRow,
        table.cellColumn,
        table.connectivity,
        table.country,
        table.model,
        table.placeCountry,
      ],
    }),
  ],
);

/** The values by which a device is counted, to subtract it when they change. */
export const countedPlace = pgTable('counted_place', {
  deviceId: uuid('device_id').primaryKey(),
  cellRow: smallint('cell_row').notNull(),
  cellColumn: smallint('cell_column').notNull(),
  connectivity: text().notNull(),
  country: text().notNull(),
  model: text().notNull(),
  placeCountry: text('place_country').notNull(),
});

/** Devices that moved to another map cell or country and are not yet counted there. */
export const movedPlace = pgTable('moved_place', {
  id: bigserial({ mode: 'number' }).primaryKey(),
  deviceId: uuid('device_id').notNull(),
});

/** Progress of the counters. One row. */
export const placeProgress = pgTable('place_progress', {
  id: integer().primaryKey(),
  sealedUpTo: bigint('sealed_up_to', { mode: 'number' }).notNull(),
  /** The last device of a full recount; null when none is in progress. */
  sweptTo: uuid('swept_to'),
  sweepEndedAt: moment('sweep_ended_at'),
});

/**
 * The last view of the precise location of a device by a user, so that a continued view is recorded
 * once.
 */
export const locationLook = pgTable(
  'location_look',
  {
    userId: uuid('user_id').notNull(),
    deviceId: uuid('device_id').notNull(),
    at: moment('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.deviceId] })],
);
