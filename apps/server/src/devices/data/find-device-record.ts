import { eq } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { deviceRecords } from './device-records.ts';

/** What is on record of a device; its caller knows that the viewer may see it. */
export async function findDeviceRecord(on: Executor, deviceId: string) {
  const [found] = await on.select().from(deviceRecords).where(eq(deviceRecords.deviceId, deviceId));
  return found;
}
