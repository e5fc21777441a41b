import type { Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { geolocation } from './locations-tables.ts';

/**
 * Deletes the location history of devices. Their newest location is kept: it belongs to the device and no longer
 * identifies its owner.
 */
export async function erasePlaces(tx: Transaction, deviceIds: readonly string[]): Promise<number> {
  if (deviceIds.length === 0) return 0;
  const { rowCount } = await tx.delete(geolocation).where(isAnyOf(geolocation.deviceId, deviceIds));
  return rowCount ?? 0;
}

/** The location history of devices, for the record of their owner. */
export const placeRowsOf = (deviceIds: readonly string[]) => [
  { table: geolocation, where: isAnyOf(geolocation.deviceId, deviceIds) },
];
