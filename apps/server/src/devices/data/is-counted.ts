import { and, eq, notInArray, type SQL } from 'drizzle-orm';
import { QueryBuilder, type PgColumn } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import { isEverywhere } from '../is-everywhere.ts';
import { device } from './devices-tables.ts';
import { isDeviceWithin } from './is-device-within.ts';

/**
 * Whether a device is counted: it is not retired and is within one of the scopes. Retired devices are few and looked up
 * once, so with an unlimited scope no other device is looked up.
 */
export function isCounted(scopes: readonly Scope[], deviceId: PgColumn): SQL | undefined {
  const retired = new QueryBuilder()
    .select({ id: device.id })
    .from(device)
    .where(eq(device.lifecycle, 'retired'));
  return and(
    notInArray(deviceId, retired),
    scopes.some(isEverywhere) ? undefined : isDeviceWithin(scopes, deviceId),
  );
}
