import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceVersionHistory } from './versions-tables.ts';

/** Version changes of devices, to be looked up by `deviceId`; those of one time in the order of `id`. */
export const versionChanges = new QueryBuilder()
  .select({
    id: deviceVersionHistory.id,
    deviceId: deviceVersionHistory.deviceId,
    component: deviceVersionHistory.component,
    version: deviceVersionHistory.version,
    at: deviceVersionHistory.at,
  })
  .from(deviceVersionHistory)
  .as('version_change');
