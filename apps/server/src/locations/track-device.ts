import type { DevicePlace } from '@deviceportal/contract/devices';
import { findDeviceWithin } from '../devices/data/find-devices.ts';
import { findDevice } from '../devices/find-device.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { selectTrack } from './data/position-queries.ts';
import { placeFor } from './place-for.ts';
import { recordLooks } from './record-looks.ts';

/** Where a device was, newest first. A precise look is recorded before anything is shown. */
export async function trackDevice(
  deps: { readonly database: Database },
  caller: Caller,
  input: { readonly deviceId: string; readonly limit: number; readonly rounded?: boolean },
): Promise<readonly DevicePlace[]> {
  const { viewer } = caller;
  const id = await findDevice(deps.database.orm, viewer, {
    reference: input.deviceId,
    permissions: ['locations:read'],
  });
  return inTransaction(deps.database, async (tx) => {
    const precise = input.rounded !== true && (await maySeePrecisely(tx, caller, id));
    const track = await selectTrack(tx, id, input.limit);
    if (precise && track.length > 0) {
      await recordLooks(tx, caller, { deviceIds: [id], data: { positions: track.length } });
    }
    return track.map((place) => placeFor({ ...place, at: place.at.toISOString() }, precise));
  });
}

async function maySeePrecisely(tx: Transaction, { viewer }: Caller, id: string): Promise<boolean> {
  const found = await findDeviceWithin(tx, viewer, ['locations:read-precise'], { id });
  return found !== undefined;
}
