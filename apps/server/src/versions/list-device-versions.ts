import type { VersionChange } from '@deviceportal/contract/versions';
import { findDevice } from '../devices/find-device.ts';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { readVersionChanges } from './data/version-change-queries.ts';

const LISTED_CHANGES = 1_000;

/** Software changes of a device, newest first. */
export async function listDeviceVersions(
  deps: { readonly database: Database },
  viewer: Viewer,
  deviceId: string,
): Promise<readonly VersionChange[]> {
  const id = await findDevice(deps.database.orm, viewer, {
    reference: deviceId,
    permissions: ['versions:read'],
  });
  const changes = await readVersionChanges(deps.database.orm, {
    deviceId: id,
    limit: LISTED_CHANGES,
  });
  return changes.map((change) => ({ ...change, at: change.at.toISOString() }));
}
