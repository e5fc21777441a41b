import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { device } from './devices-tables.ts';

/** IDs of devices by serial number; unknown numbers are omitted. */
export async function findDeviceNumbers(
  on: Executor,
  serialNumbers: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await on
    .select({ id: device.id, serialNumber: device.serialNumber })
    .from(device)
    .where(isAnyOf(device.serialNumber, serialNumbers));
  return new Map(
    rows.flatMap(({ id, serialNumber }) => (serialNumber === null ? [] : [[serialNumber, id]])),
  );
}
