import { asc } from 'drizzle-orm';
import type { Executor } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { device } from '../devices-tables.ts';

/** Names, serial numbers, and owners of devices, by name. */
export async function findNamedDevices(on: Executor, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return on
    .select({
      id: device.id,
      serialNumber: device.serialNumber,
      name: device.name,
      ownerId: device.ownerId,
    })
    .from(device)
    .where(isAnyOf(device.id, ids))
    .orderBy(asc(device.name), asc(device.id));
}
