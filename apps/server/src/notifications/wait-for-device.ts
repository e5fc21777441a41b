import { isConnectedNow } from '../devices/data/connections/connected-devices.ts';
import { findDevice } from '../devices/find-device.ts';
import { inTransaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { Viewer } from '../platform/viewer.ts';
import { deleteWait, hasWait, insertWait, otherWaits } from './data/wait-queries.ts';
import { notifyDevicesBack } from './notify-devices-back.ts';
import type { NotificationsDeps } from './read-notifications.ts';

export interface WaitForDevice {
  readonly deviceId: string;
  /** False removes the request. */
  readonly wait: boolean;
}

/**
 * Notifies the viewer once when a device is back online, immediately if it has connected since the screen was loaded.
 * @throws PortalError 6000 for a device outside the viewer's scope
 */
export async function waitForDevice(
  deps: NotificationsDeps,
  viewer: Viewer,
  { deviceId, wait }: WaitForDevice,
): Promise<void> {
  const id = await findSeen(deps, viewer, deviceId);
  const changes = await inTransaction(deps.database, async (tx) => {
    const own = { deviceId: id, userId: viewer.userId };
    if (!wait) {
      await deleteWait(tx, own);
      return [];
    }
    const existing = otherWaits(own);
    await requireRoom(tx, { limit: 'deviceWaits', of: viewer.userId, existing });
    // A connection updates the same row of the device: it either comes before this read, or finds this request.
    const isBack = await isConnectedNow(tx, id);
    await insertWait(tx, own, deps.clock());
    return isBack ? notifyDevicesBack(tx, [id]) : [];
  });
  deps.changes.publish(changes);
}

/** Whether the viewer is notified when the device is back. @throws PortalError 6000 */
export async function isWaitingForDevice(
  deps: NotificationsDeps,
  viewer: Viewer,
  deviceId: string,
): Promise<boolean> {
  const id = await findSeen(deps, viewer, deviceId);
  return hasWait(deps.database.orm, { deviceId: id, userId: viewer.userId });
}

const findSeen = ({ database }: NotificationsDeps, viewer: Viewer, reference: string) =>
  findDevice(database.orm, viewer, { reference, permissions: ['devices:read'] });
