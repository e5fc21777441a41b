import { reaches } from '@deviceportal/contract/permissions';
import type { Change } from '../platform/change-feed.ts';
import type { Transaction } from '../platform/database/database.ts';
import { findUsersWithPermission } from '../access/data/users-with-permission.ts';
import { deleteWaits } from './data/wait-queries.ts';
import { notify } from './notify.ts';

type Wait = Awaited<ReturnType<typeof deleteWaits>>[number];

/**
 * Notifies users who requested it that devices are back online; each request is answered once. A user whose scope no
 * longer contains the device is not notified.
 */
export async function notifyDevicesBack(
  tx: Transaction,
  deviceIds: readonly string[],
): Promise<Change[]> {
  if (deviceIds.length === 0) return [];
  const waits = await inReach(tx, await deleteWaits(tx, deviceIds));
  return notify(
    tx,
    waits.map(({ userId, deviceId, device, createdAt }) => ({
      userId,
      kind: 'device-back',
      // A later request has another subject and is answered, too.
      subject: `device:${deviceId}:${createdAt}`,
      facts: { deviceId, device },
    })),
  );
}

async function inReach(tx: Transaction, waits: readonly Wait[]): Promise<readonly Wait[]> {
  if (waits.length === 0) return [];
  const users = [...new Set(waits.map(({ userId }) => userId))];
  const holders = await findUsersWithPermission(tx, 'devices:read', users);
  const scopesOf = new Map(holders.map(({ userId, scopes }) => [userId, scopes]));
  return waits.filter((one) => reaches(scopesOf.get(one.userId) ?? [], one));
}
