import { eq } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { devicePackage, packageVersion } from './packages-tables.ts';

/** What is installed on devices, to be joined by `deviceId`. */
export const installedPackages = new QueryBuilder()
  .select({
    deviceId: devicePackage.deviceId,
    name: packageVersion.name,
    version: packageVersion.version,
    since: devicePackage.since,
  })
  .from(devicePackage)
  .innerJoin(packageVersion, eq(packageVersion.id, devicePackage.versionId))
  .as('installed_package');

/** Since when devices have each package, whichever it is. */
export const packageMoments = new QueryBuilder()
  .select({ deviceId: devicePackage.deviceId, since: devicePackage.since })
  .from(devicePackage)
  .as('package_moment');
