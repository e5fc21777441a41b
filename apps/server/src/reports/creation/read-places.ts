import type { DeviceRow } from '@deviceportal/contract/devices';
import { reaches, scopesOf } from '@deviceportal/contract/permissions';
import type { ReportPlace } from '@deviceportal/contract/user-report-document';
import { trackDevice } from '../../locations/track-device.ts';
import { deviceName } from './read-devices.ts';
import { mayRead, type ReportCreation } from './report-creation.ts';

const LIMIT_OF_DEVICE = 200;

/**
 * Locations of the devices in the time range, newest first; rounded, unless precise ones were requested and are
 * permitted.
 */
export async function readPlaces(
  creation: ReportCreation,
  devices: readonly DeviceRow[],
): Promise<ReportPlace[]> {
  const { deps, viewer, origin, report, sources, gaps } = creation;
  if (!mayRead(creation, 'locations', 'locations:read')) return [];
  const scopes = scopesOf(viewer.grants, ['locations:read']);
  const places: ReportPlace[] = [];
  for (const device of devices) {
    if (!reaches(scopes, device)) continue;
    const found = await trackDevice(
      deps,
      { viewer, ...origin },
      { deviceId: device.id, limit: LIMIT_OF_DEVICE, rounded: !report.precise },
    );
    for (const { at, ...place } of found) {
      if (at < report.from || at > report.to) continue;
      places.push({ deviceId: device.id, device: deviceName(device), at, ...place });
    }
  }
  sources.push({ name: 'geolocation', rows: places.length });
  if (places.some(({ precise }) => !precise)) gaps.push({ code: 'rounded-places', facts: {} });
  return places.toSorted((one, other) => (one.at < other.at ? 1 : -1));
}
