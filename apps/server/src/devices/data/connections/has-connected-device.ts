import { ne } from 'drizzle-orm';
import type { Executor } from '../../../platform/database/database.ts';
import { deviceStatus } from '../devices-tables.ts';

/** Whether any device has ever connected. */
export async function hasConnectedDevice(on: Executor): Promise<boolean> {
  const rows = await on
    .select({ deviceId: deviceStatus.deviceId })
    .from(deviceStatus)
    .where(ne(deviceStatus.connectivity, 'never'))
    .limit(1);
  return rows.length > 0;
}
