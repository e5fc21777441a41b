import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from './device-scope-condition.ts';
import { device } from './devices-tables.ts';

/** The devices within the scopes, for joins by `deviceId` or for `inArray`. */
export const devicesWithin = (scopes: readonly Scope[]) =>
  new QueryBuilder()
    .select({ deviceId: device.id })
    .from(device)
    .where(deviceScopeCondition(scopes, device))
    .as('device_within');
