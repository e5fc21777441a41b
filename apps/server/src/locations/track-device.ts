import type { DevicePlace } from '@deviceportal/contract/devices';
import { findDeviceWithin } from '../devices/data/find-devices.ts';
import { findDevice } from '../devices/find-device.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { selectTrack } from './data/position-queries.ts';
import { placeFor } from './place-for.ts';
import { recordLocationAccess } from './record-location-access.ts';

/**
 * The location history of a device, newest first. Access to precise locations is recorded before the result is
 * returned.
 */
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
      await recordLocationAccess(tx, caller, {
        deviceIds: [id],
        data: { positions: track.length },
      });
    }
    return track.map((place) => placeFor({ ...place, at: place.at.toISOString() }, precise));
  });
}

async function maySeePrecisely(tx: Transaction, { viewer }: Caller, id: string): Promise<boolean> {
  const found = await findDeviceWithin(tx, viewer, ['locations:read-precise'], { id });
  return found !== undefined;
}
