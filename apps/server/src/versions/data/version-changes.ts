import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceVersionHistory } from './versions-tables.ts';

/** When devices got which version of a component, to be looked up by `deviceId`; those of one moment in the order of `id`. */
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
