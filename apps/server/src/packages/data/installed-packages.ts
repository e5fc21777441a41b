import { eq } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { devicePackage, packageVersion } from './packages-tables.ts';

/** Installed packages of devices, to be joined by `deviceId`. */
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

/** The versions of packages that devices have or had, by number. */
export const packageVersions = new QueryBuilder()
  .select({
    versionId: packageVersion.id,
    name: packageVersion.name,
    version: packageVersion.version,
    rank: packageVersion.rank,
  })
  .from(packageVersion)
  .as('named_package_version');

/** Installed packages of devices, as numbers of `packageVersions`. */
export const installedVersionIds = new QueryBuilder()
  .select({ deviceId: devicePackage.deviceId, versionId: devicePackage.versionId })
  .from(devicePackage)
  .as('installed_version_id');

/** Time since which devices have each package. */
export const packageMoments = new QueryBuilder()
  .select({ deviceId: devicePackage.deviceId, since: devicePackage.since })
  .from(devicePackage)
  .as('package_moment');
