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

/** All package versions that a device has or had. Lists of devices refer to them by number. */
export const packageVersion = pgTable(
  'package_version',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    name: text().notNull(),
    version: text().notNull(),
    /** Sorts as package managers do, with collation "C". */
    rank: text().notNull(),
  },
  (table) => [uniqueIndex('package_version_by_name').on(table.name, table.version)],
);

/**
 * Installed packages of devices. A package can be installed in several versions, such as kernels.
 */
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

/** Times of the first and latest package list of a device. */
export const devicePackageReport = pgTable('device_package_report', {
  deviceId: uuid('device_id').primaryKey(),
  /** A first list contains no changes. */
  firstReport: uuid('first_report').notNull(),
  at: moment('at').notNull(),
});

/** Packages that were installed, replaced, or removed since the first list. */
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
