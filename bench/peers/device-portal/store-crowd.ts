import { createCrowd, storeDevices } from '../../capacity/store-devices.ts';
import { openRunningDatabase } from './open-running-database.ts';
import type { PortalPlace } from './portal-place.ts';

/** Enrolled devices that are not connected. */
export async function storeCrowd({ dataDir }: PortalPlace, upTo: number): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const database = await openRunningDatabase(resources, dataDir);
  // Devices whose random serial number exists are skipped.
  for (let attempt = 1; ; attempt += 1) {
    const { rows } = await database.pool.query<{ stored: number }>(
      'select count(*)::int as stored from device',
    );
    const devices = createCrowd(upTo - (rows[0]?.stored ?? 0));
    if (devices.length === 0) return;
    await storeDevices(database, { devices, seed: `crowd ${attempt}` });
  }
}
