import { FILE_REQUEST_LIMITS } from '@deviceportal/contract/device-files';
import type { Permission } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import { findReach } from '../devices/data/connections/find-reach.ts';
import { findDevice } from '../devices/find-device.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import {
  countOpenRequests,
  insertFileRequest,
  lockFileRequests,
  type NewFileRequest,
  type OpenFileRequests,
} from './data/device-file-queries.ts';
import type { DeviceFilesDeps } from './device-files-deps.ts';

/**
 * The device of a request, if it is in the scope of the permission and can be reached.
 * @throws PortalError 6000 outside the scope; 2004 if it offers no files or is not connected
 */
export async function findFileDevice(
  { database }: Pick<DeviceFilesDeps, 'database'>,
  viewer: Viewer,
  {
    deviceId: reference,
    permission,
  }: { readonly deviceId: string; readonly permission: Permission },
): Promise<string> {
  const deviceId = await findDevice(database.orm, viewer, { reference, permissions: [permission] });
  const { filesOffer, isConnected } = await findReach(database.orm, deviceId);
  const offer = filesOffer ?? 'unsupported';
  if (offer !== 'available') throw refuse('files-not-offered', { facts: { offer } });
  if (!isConnected) throw refuse('files-device-offline');
  return deviceId;
}

/** Stores a request within the limits. */
export async function beginRequest(
  { database }: Pick<DeviceFilesDeps, 'database'>,
  viewer: Viewer,
  request: Omit<NewFileRequest, 'userId' | 'username' | 'tokenId' | 'tokenName'>,
): Promise<void> {
  const owner = { userId: viewer.userId, deviceId: request.deviceId };
  // Without a lock: many requests beyond the limits cost one statement each.
  requireRoom(await countOpenRequests(database.orm, owner));
  await inTransaction(database, async (tx) => {
    await lockFileRequests(tx);
    requireRoom(await countOpenRequests(tx, owner));
    await insertFileRequest(tx, {
      ...request,
      ...{ userId: viewer.userId, username: viewer.username },
      ...{ tokenId: viewer.apiToken?.id, tokenName: viewer.apiToken?.name },
    });
  });
}

function requireRoom({ user, device, all }: OpenFileRequests): void {
  const { perUser, perDevice, inAll } = FILE_REQUEST_LIMITS;
  const most =
    (user >= perUser && perUser) || (device >= perDevice && perDevice) || (all >= inAll && inAll);
  if (most !== false) throw refuse('files-too-many', { facts: { most } });
}
