import { QueryBuilder } from 'drizzle-orm/pg-core';
import { devicePackageHistory } from './packages-tables.ts';

/** Installed, replaced, and removed packages of devices, to be looked up by `deviceId`; in the order of `id`. */
export const packageChanges = new QueryBuilder()
  .select({
    id: devicePackageHistory.id,
    deviceId: devicePackageHistory.deviceId,
    name: devicePackageHistory.name,
    before: devicePackageHistory.before,
    after: devicePackageHistory.after,
    at: devicePackageHistory.at,
  })
  .from(devicePackageHistory)
  .as('package_change');
