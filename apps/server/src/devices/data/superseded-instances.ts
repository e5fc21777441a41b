import { ne } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceInstance } from './devices-tables.ts';

/** Agents that were replaced on their devices, for joins by `instanceId`. */
export const supersededInstances = new QueryBuilder()
  .select({ instanceId: deviceInstance.id })
  .from(deviceInstance)
  .where(ne(deviceInstance.state, 'current'))
  .as('superseded_instance');
