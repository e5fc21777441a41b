import { listDevicesInput, type DeviceRow } from '@deviceportal/contract/devices';
import type { SearchHit } from '@deviceportal/contract/session';
import type { Viewer } from '../platform/viewer.ts';
import type { DevicesDependencies } from './devices-dependencies.ts';
import { listDevices } from './list-devices.ts';

/** Devices that a typed or pasted text may mean, with the device list's own search and scope. */
export async function findSearchHits(
  deps: DevicesDependencies,
  viewer: Viewer,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<SearchHit[]> {
  const input = listDevicesInput.parse({
    filter: { text: text.slice(0, 200) },
    sort: 'serialNumber',
    descending: false,
    pageSize: limit,
  });
  const { rows } = await listDevices(deps, viewer, input);
  return rows.map((row) => toHit(row, text));
}

function toHit(row: DeviceRow, text: string): SearchHit {
  const wanted = text.toLowerCase();
  const names = [row.id, row.serialNumber ?? '', row.name].map((name) => name.toLowerCase());
  return {
    kind: 'device',
    id: row.id,
    label: row.serialNumber ?? row.name,
    detail: [row.name, row.owner?.name, row.model].filter(Boolean).join(' · '),
    exact: names.includes(wanted),
  };
}
