import { eq } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { device } from './devices-tables.ts';

/** The id of the device with a serial number, in capitals; null where there is none. */
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
