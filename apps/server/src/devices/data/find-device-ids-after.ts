import { asc, gt } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { device } from './devices-tables.ts';

/** The next device IDs, sorted. */
export async function findDeviceIdsAfter(
  on: Executor,
  id: string,
  limit: number,
): Promise<string[]> {
  const rows = await on
    .select({ id: device.id })
    .from(device)
    .where(gt(device.id, id))
    .orderBy(asc(device.id))
    .limit(limit);
  return rows.map((row) => row.id);
}
