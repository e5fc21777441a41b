import {
  customType,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  uuid,
} from 'drizzle-orm/pg-core';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/**
 * Samples of a device in one hour. Partitioned by day; the partitions are created and dropped by
 * functions of the database.
 */
export const deviceMetricHour = pgTable(
  'device_metric_hour',
  {
    deviceId: uuid('device_id').notNull(),
    /** Hours since 1970. */
    hour: integer().notNull(),
    /** Blocks of samples as they arrived, each after its length (stored-blocks.ts). */
    samples: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.deviceId, table.hour] })],
);

/** Mean, minimum, and maximum of each quarter of an hour. Partitioned by 30 days. */
export const deviceMetricDay = pgTable(
  'device_metric_day',
  {
    deviceId: uuid('device_id').notNull(),
    /** Days since 1970. */
    day: integer().notNull(),
    points: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.deviceId, table.day] })],
);

/** Mean, minimum, and maximum of each day. Partitioned by year. */
export const deviceMetricMonth = pgTable(
  'device_metric_month',
  {
    deviceId: uuid('device_id').notNull(),
    /** Months since year 0. */
    month: integer().notNull(),
    points: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.deviceId, table.month] })],
);

/** Mean of each metric on the last day on which a device measured it. */
export const deviceMetricLatest = pgTable(
  'device_metric_latest',
  {
    deviceId: uuid('device_id').notNull(),
    metricId: integer('metric_id').notNull(),
    /** Days since 1970. */
    day: integer().notNull(),
    value: doublePrecision().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.deviceId, table.metricId] }),
    index('device_metric_latest_value').on(table.metricId, table.value, table.deviceId),
  ],
);

/**
 * The newest sample of each device, for conditions about all devices. Without indexes on values, so that a new sample is
 * a heap-only update.
 */
export const deviceMetricNewest = pgTable('device_metric_newest', {
  deviceId: uuid('device_id').primaryKey(),
  /** Seconds since 1970. */
  at: integer().notNull(),
  /** By the ID of the metric; null where nothing was measured. */
  values: doublePrecision().array().notNull(),
});

/** Days of devices with samples that are not rolled up. */
export const deviceMetricPending = pgTable(
  'device_metric_pending',
  {
    /** Days since 1970. */
    day: integer().notNull(),
    deviceId: uuid('device_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.deviceId] })],
);
