import type { DeviceFilesState } from '@deviceportal/contract/device-files';
import { findReach } from '../devices/data/connections/find-reach.ts';
import { findDevice } from '../devices/find-device.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { DeviceFilesDeps } from './device-files-deps.ts';

/** Whether a device offers files, and can be reached now. */
export async function getFilesState(
  { database }: Pick<DeviceFilesDeps, 'database'>,
  viewer: Viewer,
  { deviceId: reference }: { readonly deviceId: string },
): Promise<DeviceFilesState> {
  const permissions = ['files:read', 'files:write'] as const;
  const deviceId = await findDevice(database.orm, viewer, { reference, permissions });
  const { filesOffer, isConnected } = await findReach(database.orm, deviceId);
  return { offer: filesOffer ?? 'unsupported', isConnected };
}
