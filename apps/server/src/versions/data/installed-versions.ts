import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceVersion } from './versions-tables.ts';

/** Current versions of each component on devices, to be joined by `deviceId`. */
export const installedVersions = new QueryBuilder()
  .select({
    deviceId: deviceVersion.deviceId,
    component: deviceVersion.component,
    version: deviceVersion.version,
    since: deviceVersion.since,
  })
  .from(deviceVersion)
  .as('installed_version');
