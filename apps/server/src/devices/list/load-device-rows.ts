import type { DeviceRow } from '@deviceportal/contract/devices';
import { reaches, scopesOf } from '@deviceportal/contract/permissions';
import { byUrgency } from '../../findings/evaluate-findings.ts';
import { maskName } from '../../people/mask-person.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { selectDeviceRows, type StoredDeviceRow } from '../data/list/device-row-queries.ts';
import { isoMoment } from './moment-text.ts';

/** List rows of devices, sorted by ID. Owners are masked if the viewer cannot see people. */
export async function loadDeviceRows(
  on: Executor,
  viewer: Viewer,
  ids: readonly string[],
): Promise<DeviceRow[]> {
  if (ids.length === 0) return [];
  const rows = await selectDeviceRows(on, ids);
  const peopleScopes = scopesOf(viewer.grants, ['people:read']);
  return rows.map((row) => toDeviceRow(row, reaches(peopleScopes, row)));
}

function toDeviceRow(row: StoredDeviceRow, maySeeOwner: boolean): DeviceRow {
  const { ownerId, ownerName, ...facts } = row;
  return {
    ...facts,
    owner:
      ownerId === null || ownerName === null
        ? null
        : { id: ownerId, name: maySeeOwner ? ownerName : maskName(ownerName) },
    connectivity: row.connectivity ?? 'never',
    connectivitySince: isoMoment(row.connectivitySince),
    lastSeenAt: isoMoment(row.lastSeenAt),
    failing: row.failing ?? [],
    findings: (row.findings ?? []).toSorted(byUrgency),
    createdAt: row.createdAt.toISOString(),
  };
}
