import { and, eq, exists, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import type { Executor } from '../../platform/database/database.ts';
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
