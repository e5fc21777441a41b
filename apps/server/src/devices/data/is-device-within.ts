import { and, eq, exists, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { deviceScopeCondition } from './device-scope-condition.ts';
import { device } from './devices-tables.ts';

/** Whether the device exists and is within one of the scopes. */
export const isDeviceWithin = (scopes: readonly Scope[], deviceId: SQLWrapper | string): SQL =>
  exists(
    new QueryBuilder()
      .select({ id: device.id })
      .from(device)
      .where(and(eq(device.id, deviceId), deviceScopeCondition(scopes, device))),
  );

/** Like `isDeviceWithin`, queried for one device. */
export async function isWithinDevices(
  on: Executor,
  scopes: readonly Scope[],
  deviceId: string,
): Promise<boolean> {
  const rows = await on
    .select({ id: device.id })
    .from(device)
    .where(and(eq(device.id, deviceId), deviceScopeCondition(scopes, device)));
  return rows.length > 0;
}

/** Those of some devices that exist and are within one of the scopes. */
export async function idsWithinDevices(
  on: Executor,
  scopes: readonly Scope[],
  deviceIds: readonly string[],
): Promise<string[]> {
  const rows = await on
    .select({ id: device.id })
    .from(device)
    .where(and(isAnyOf(device.id, deviceIds), deviceScopeCondition(scopes, device)));
  return rows.map(({ id }) => id);
}
