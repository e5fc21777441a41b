import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { device } from './devices-tables.ts';

/** Names of devices by ID. */
export async function findDeviceNames(
  on: Executor,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await on
    .select({ id: device.id, name: device.name })
    .from(device)
    .where(isAnyOf(device.id, ids));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
