import type { DeviceRow } from '@deviceportal/contract/devices';
import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import {
  listVersionChangesOfDevices,
  listVersionsOfDevices,
} from '../../versions/list-versions-of-devices.ts';
import { deviceName } from './read-devices.ts';
import { mayRead, type ReportCreation } from './report-creation.ts';

const LIMIT = 2_000;

/** The versions on the devices compared with the approved ones, and changes in the time range. */
export async function readVersions(
  creation: ReportCreation,
  devices: readonly DeviceRow[],
): Promise<Pick<UserReportDocument, 'versions' | 'versionChanges'>> {
  const { deps, viewer, report, sources } = creation;
  if (!mayRead(creation, 'versions', 'versions:read')) return { versions: [], versionChanges: [] };
  const deviceIds = devices.map(({ id }) => id);
  const names = new Map(devices.map((device) => [device.id, deviceName(device)]));
  const named = <Row extends { readonly deviceId: string }>(row: Row) => ({
    ...row,
    device: names.get(row.deviceId) ?? '-',
  });
  const versions = await listVersionsOfDevices(deps, viewer, { deviceIds, limit: LIMIT });
  const { from, to } = report;
  const changes = await listVersionChangesOfDevices(deps, viewer, {
    ...{ deviceIds, from, to, limit: LIMIT },
  });
  sources.push({ name: 'device_version', rows: versions.length });
  sources.push({ name: 'device_version_history', rows: changes.length });
  return { versions: versions.map(named), versionChanges: changes.map(named) };
}
