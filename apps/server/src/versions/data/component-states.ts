import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceTav } from './versions-tables.ts';

/** The state of each component of a device compared with its approved version, with the sort keys of the device. */
export const componentStates = new QueryBuilder()
  .select({
    deviceId: deviceTav.deviceId,
    component: deviceTav.component,
    state: deviceTav.state,
    serialRank: deviceTav.serialRank,
    name: deviceTav.name,
  })
  .from(deviceTav)
  .as('component_state');
