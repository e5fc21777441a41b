import { eq } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { device } from './devices-tables.ts';

/** The ID of the device with a serial number (uppercase); null if it does not exist. */
export async function findDeviceIdBySerial(
  on: Executor,
  serialNumber: string,
): Promise<string | null> {
  const [found] = await on
    .select({ id: device.id })
    .from(device)
    .where(eq(device.serialNumber, serialNumber));
  return found?.id ?? null;
}
