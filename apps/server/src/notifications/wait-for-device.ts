import { isConnectedNow } from '../devices/data/connections/connected-devices.ts';
import { findDevice } from '../devices/find-device.ts';
import { inTransaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { Viewer } from '../platform/viewer.ts';
import { deleteWait, hasWait, insertWait, waitsBeside } from './data/wait-queries.ts';
import { notifyDevicesBack } from './notify-devices-back.ts';
import type { NotificationsDeps } from './read-notifications.ts';

export interface WaitForDevice {
  readonly deviceId: string;
  /** False: not any more. */
  readonly wait: boolean;
}

/**
 * Notifies the viewer once when a device is back online: at once where it has connected since the screen was drawn.
 *
 * @throws PortalError 6000 where the viewer sees no such device
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
    const existing = waitsBeside(own);
    await requireRoom(tx, { limit: 'deviceWaits', of: viewer.userId, existing });
    // A connection writes the same row of the device: it comes before this look, or finds this request.
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
