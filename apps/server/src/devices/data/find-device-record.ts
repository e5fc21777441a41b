import { eq } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { deviceRecords } from './device-records.ts';

/** Attributes of a device. The caller has checked that the viewer can see it. */
export async function findDeviceRecord(on: Executor, deviceId: string) {
  const [found] = await on.select().from(deviceRecords).where(eq(deviceRecords.deviceId, deviceId));
  return found;
}
