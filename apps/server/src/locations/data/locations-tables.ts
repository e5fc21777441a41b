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

/** Where a device is: its newest position. */
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
    /** The unit of the map's grid (`map-grid.ts`): the place rounded to 0.1 degree. */
    cellRow: smallint('cell_row')
      .notNull()
      .generatedAlwaysAs(sql`(floor(latitude * 10 + 0.5) + 900)::smallint`),
    cellColumn: smallint('cell_column')
      .notNull()
      .generatedAlwaysAs(sql`(floor(longitude * 10 + 0.5) + 1800)::smallint`),
  },
  (table) => [index('device_location_cell').on(table.cellRow, table.cellColumn, table.deviceId)],
);

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
    source: text().$type<PlaceSource>().notNull(),
    country: text(),
  },
  (table) => [index('geolocation_by_device').on(table.deviceId, table.at)],
);

/** Devices in service counted by cells of the map, for each level that is kept and each facet that filters ask by. */
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
    /** Of the rows and columns of all its devices: a cell is drawn in the middle of them. */
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

/** As what a device is counted: a new count takes that back. */
export const countedPlace = pgTable('counted_place', {
  deviceId: uuid('device_id').primaryKey(),
  cellRow: smallint('cell_row').notNull(),
  cellColumn: smallint('cell_column').notNull(),
  connectivity: text().notNull(),
  country: text().notNull(),
  model: text().notNull(),
  placeCountry: text('place_country').notNull(),
});

/** Devices whose place moved to another cell or country, until they are counted there. */
export const movedPlace = pgTable('moved_place', {
  id: bigserial({ mode: 'number' }).primaryKey(),
  deviceId: uuid('device_id').notNull(),
});

/** How far the counters are; one row. */
export const placeProgress = pgTable('place_progress', {
  id: integer().primaryKey(),
  sealedUpTo: bigint('sealed_up_to', { mode: 'number' }).notNull(),
  /** The last device of a count of all; null when none is under way. */
  sweptTo: uuid('swept_to'),
  sweepEndedAt: moment('sweep_ended_at'),
});

/** Who looked at which device's precise place last: a look that goes on is recorded once. */
export const locationLook = pgTable(
  'location_look',
  {
    userId: uuid('user_id').notNull(),
    deviceId: uuid('device_id').notNull(),
    at: moment('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.deviceId] })],
);
