import type { Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { geolocation } from './locations-tables.ts';

/** Deletes where devices have been. Their newest position stays: it says where a device is, and no longer whose it is. */
export async function erasePlaces(tx: Transaction, deviceIds: readonly string[]): Promise<number> {
  if (deviceIds.length === 0) return 0;
  const { rowCount } = await tx.delete(geolocation).where(isAnyOf(geolocation.deviceId, deviceIds));
  return rowCount ?? 0;
}

/** Where devices have been, for the record of their owner. */
export const placeRowsOf = (deviceIds: readonly string[]) => [
  { table: geolocation, where: isAnyOf(geolocation.deviceId, deviceIds) },
];
