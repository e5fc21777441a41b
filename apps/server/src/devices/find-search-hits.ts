import { listDevicesInput, type DeviceRow } from '@deviceportal/contract/devices';
import { searchScores, type SearchHit } from '@deviceportal/contract/search';
import { bestFirst, matchScore } from '../platform/text/match-score.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { DevicesDependencies } from './devices-dependencies.ts';
import { loadDeviceRows } from './list/load-device-rows.ts';
import {
  idsByHostNames,
  idsBySerialNumbers,
  idsNamedExactly,
  idsScattered,
} from './data/named-device-queries.ts';
import { listDeviceIds } from './list/list-devices.ts';

/** More than are shown, so that the best ones can be selected. */
const RANKED = 24;
/** Longer texts are not searched. */
const LONGEST_TEXT = 200;

type Deps = Pick<DevicesDependencies, 'database' | 'clock'>;

interface Wanted {
  readonly text: string;
  readonly limit: number;
}

/**
 * Devices within the viewer's scope that match a text: by ID, instance, serial number, address, or host name first,
 * otherwise by the search of the device list.
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
  // For a word that a large share of the fleet matches: any matching devices, but not the first ones of the list.
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

/** Devices with one of these serial numbers, in the given order. */
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

/** Devices that have one of these host names. */
export async function findByHostNames(
  deps: Deps,
  viewer: Viewer,
  wanted: { readonly names: readonly string[]; readonly limit: number },
): Promise<SearchHit[]> {
  const on = deps.database.orm;
  const rows = await loadDeviceRows(on, viewer, await idsByHostNames(on, viewer, wanted));
  return rows.map((row) => toHit(row, searchScores.mended));
}

/** The name of an owner means the person in the first place. */
const MOST_BY_OWNER = searchScores.wordBegins + 5;

/** Matches by owner or label rank lower than matches by name. */
function scoreOf(row: DeviceRow, text: string): number {
  const named = matchScore([row.serialNumber, row.name, row.model], text);
  return Math.max(named, Math.min(MOST_BY_OWNER, matchScore([row.owner?.name], text)));
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
