import { and, asc, eq, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Executor } from '../../../platform/database/database.ts';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../device-scope-condition.ts';
import { device } from '../devices-tables.ts';

const build = new QueryBuilder();

/**
 * Devices in service within the scopes, for joins by `deviceId`: of the first devices in an order that
 * is random but always the same.
 *
 * @param most how many devices are examined, and returned at most
 */
export function sampledDevices(scopes: readonly Scope[], most: number) {
  const { id, model, country, labels, lifecycle } = device;
  const shuffled = build
    .select({ deviceId: id, model, country, labels, lifecycle })
    .from(device)
    .orderBy(asc(sql`uuid_hash(${id})`), asc(id))
    .limit(most)
    .as('shuffled_device');
  return build
    .select({
      deviceId: shuffled.deviceId,
      model: shuffled.model,
      country: shuffled.country,
    })
    .from(shuffled)
    .where(and(eq(shuffled.lifecycle, 'active'), deviceScopeCondition(scopes, shuffled)))
    .as('sampled_device');
}

/** Whether the installation has more devices than a sample examines. */
export async function countsMoreDevices(on: Executor, most: number): Promise<boolean> {
  const rows = await on.select({ id: device.id }).from(device).offset(most).limit(1);
  return rows.length > 0;
}
