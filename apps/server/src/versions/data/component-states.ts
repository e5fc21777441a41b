import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceTav } from './versions-tables.ts';

/** How each component of a device stands against what is approved for it, with the sort keys of the device. */
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
