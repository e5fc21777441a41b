import {
  bigserial,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from '../../platform/columns.ts';

/** Every version of every package that some device has or had: a device's list names them by number. */
export const packageVersion = pgTable(
  'package_version',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    name: text().notNull(),
    version: text().notNull(),
    /** Sorts as package managers do, under "C". */
    rank: text().notNull(),
  },
  (table) => [uniqueIndex('package_version_by_name').on(table.name, table.version)],
);

/** What is installed where. A package may be there in several versions, as kernels are. */
export const devicePackage = pgTable(
  'device_package',
  {
    deviceId: uuid('device_id').notNull(),
    versionId: integer('version_id').notNull(),
    since: moment('since').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.deviceId, table.versionId] }),
    index('device_package_by_version').on(table.versionId, table.deviceId),
  ],
);

/** When a device told what is installed: the first and the latest list. */
export const devicePackageReport = pgTable('device_package_report', {
  deviceId: uuid('device_id').primaryKey(),
  /** A first list is no change. */
  firstReport: uuid('first_report').notNull(),
  at: moment('at').notNull(),
});

/** What was installed, replaced or removed since. */
export const devicePackageHistory = pgTable(
  'device_package_history',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    deviceId: uuid('device_id').notNull(),
    name: text().notNull(),
    before: text(),
    after: text(),
    at: moment('at').notNull(),
  },
  (table) => [
    index('device_package_history_by_device').on(table.deviceId, table.id),
    index('device_package_history_by_age').using('brin', table.at),
  ],
);
