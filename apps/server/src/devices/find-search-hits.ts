import { listDevicesInput, type DeviceRow } from '@deviceportal/contract/devices';
import { searchScores, type SearchHit } from '@deviceportal/contract/search';
import { bestFirst, matchScore } from '../platform/text/match-score.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { DevicesDependencies } from './devices-dependencies.ts';
import { loadDeviceRows } from './list/load-device-rows.ts';
import { idsBySerialNumbers, idsNamedExactly, idsScattered } from './data/named-device-queries.ts';
import { listDeviceIds } from './list/list-devices.ts';

/** More than are shown, so that the best of them can be. */
const RANKED = 24;
/** A list of longer texts is no use of search. */
const LONGEST_TEXT = 200;

type Deps = Pick<DevicesDependencies, 'database' | 'clock'>;

interface Wanted {
  readonly text: string;
  readonly limit: number;
}

/**
 * Devices that a typed or pasted text may mean: by id, instance, serial number, address or host name at once, else with
 * the device list's own search. Within the viewer's scope.
 */
export async function findSearchHits(
  deps: Deps,
  viewer: Viewer,
  { text, limit }: Wanted,
): Promise<SearchHit[]> {
  const on = deps.database.orm;
  const named = await idsNamedExactly(on, viewer, { text, limit });
  if (named.length > 0) {
    const rows = await loadDeviceRows(on, viewer, named);
    return rows.map((row) => toHit(row, searchScores.exact));
  }
  const input = listDevicesInput.parse({
    filter: { text: text.slice(0, LONGEST_TEXT) },
    sort: 'serialNumber',
    descending: false,
    pageSize: RANKED,
  });
  const page = await listDeviceIds(deps, viewer, input);
  // A word that a great part of the fleet has, but not those that the list begins with.
  const ids =
    page.complete || page.ids.length >= limit
      ? page.ids
      : await idsScattered(on, viewer, { filter: input.filter, now: deps.clock(), limit: RANKED });
  const rows = await loadDeviceRows(on, viewer, ids);
  return bestFirst(
    rows.map((row) => toHit(row, scoreOf(row, text))),
    limit,
  );
}

/** Devices with one of these serial numbers, in the order of the numbers. */
export async function findBySerialNumbers(
  deps: Deps,
  viewer: Viewer,
  { serialNumbers, limit }: { readonly serialNumbers: readonly string[]; readonly limit: number },
): Promise<SearchHit[]> {
  const on = deps.database.orm;
  const ids = await idsBySerialNumbers(on, viewer, { serialNumbers, limit });
  const rows = await loadDeviceRows(on, viewer, ids);
  return rows.map((row) => toHit(row, searchScores.mended));
}

/** What is found by its owner or a label fits less than what is called so. */
function scoreOf(row: DeviceRow, text: string): number {
  return matchScore([row.serialNumber, row.name, row.model, row.owner?.name], text);
}

function toHit(row: DeviceRow, score: number): SearchHit {
  const details = [
    row.serialNumber === null ? null : row.name,
    row.model,
    row.owner?.name,
    row.ipAddress,
  ];
  return {
    kind: 'device',
    id: row.id,
    label: row.serialNumber ?? row.name,
    detail: details.filter(Boolean).join(' · '),
    score,
    state: row.connectivity,
    at: null,
  };
}
