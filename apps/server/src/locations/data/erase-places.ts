import { inArray } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { queuePositions } from '../geolocation-table/queue-positions.ts';
import { geolocation } from './locations-tables.ts';

/**
 * Deletes some of the location history of devices. Their newest location is kept: it belongs to the device and no longer
 * identifies its owner. What is deleted is also deleted in the geolocation table.
 * @returns how many; less than the limit if none remain
 */
export async function eraseSomePlaces(
  tx: Transaction,
  deviceIds: readonly string[],
  limit: number,
): Promise<number> {
  const some = new QueryBuilder()
    .select({ id: geolocation.id })
    .from(geolocation)
    .where(isAnyOf(geolocation.deviceId, deviceIds))
    .limit(limit);
  const erased = await tx
    .delete(geolocation)
    .where(inArray(geolocation.id, some))
    .returning({ deviceId: geolocation.deviceId, at: geolocation.at });
  await queuePositions(tx, erased, { isErased: true });
  return erased.length;
}

/** The location history of devices, for the record of their owner. */
export const placeRowsOf = (deviceIds: readonly string[]) => [
  { table: geolocation, where: isAnyOf(geolocation.deviceId, deviceIds) },
];
