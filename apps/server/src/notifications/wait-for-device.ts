import { sql } from 'drizzle-orm';
import { isConnectedNow } from '../devices/data/connections/connected-devices.ts';
import { findDevice } from '../devices/find-device.ts';
import { inTransaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { Viewer } from '../platform/viewer.ts';
import { notifyDevicesBack } from './notify-devices-back.ts';
import type { NotificationsDeps } from './read-notifications.ts';

export interface WaitForDevice {
  readonly deviceId: string;
  /** False: not any more. */
  readonly wait: boolean;
}

/**
 * Tells the viewer when a device is back, once. One that has connected since the screen was drawn is back at once.
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
    if (!wait) {
      await tx.execute(
        sql`delete from device_wait where device_id = ${id} and user_id = ${viewer.userId}`,
      );
      return [];
    }
    const existing = sql`
      select from device_wait where user_id = ${viewer.userId} and device_id <> ${id}`;
    await requireRoom(tx, { limit: 'deviceWaits', of: viewer.userId, existing });
    // A connection writes the same row of the device: it comes before this look, or finds this asking.
    const isBack = await isConnectedNow(tx, id);
    await tx.execute(sql`
      insert into device_wait (device_id, user_id, created_at)
      values (${id}, ${viewer.userId}, ${deps.clock().toISOString()}) on conflict do nothing`);
    return isBack ? notifyDevicesBack(tx, [id]) : [];
  });
  deps.changes.publish(changes);
}

/** Whether the viewer has asked to be told. @throws PortalError 6000 */
export async function isWaitingForDevice(
  deps: NotificationsDeps,
  viewer: Viewer,
  deviceId: string,
): Promise<boolean> {
  const id = await findSeen(deps, viewer, deviceId);
  const { rowCount } = await deps.database.orm.execute(
    sql`select from device_wait where device_id = ${id} and user_id = ${viewer.userId}`,
  );
  return rowCount === 1;
}

const findSeen = ({ database }: NotificationsDeps, viewer: Viewer, reference: string) =>
  findDevice(database.orm, viewer, { reference, permissions: ['devices:read'] });
