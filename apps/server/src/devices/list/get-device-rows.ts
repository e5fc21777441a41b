import type { DeviceRow } from '@deviceportal/contract/devices';
import type { Database } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { findDevicesWithin } from '../data/find-devices.ts';
import { loadDeviceRows } from './load-device-rows.ts';

/** Current list rows of devices; those outside the viewer's scope are omitted. */
export async function getDeviceRows(
  { database }: { readonly database: Database },
  viewer: Viewer,
  ids: readonly string[],
): Promise<readonly DeviceRow[]> {
  const on = database.orm;
  return loadDeviceRows(on, viewer, await findDevicesWithin(on, viewer, ids));
}
