import type { SQL } from 'drizzle-orm';
import type { z } from 'zod';
import {
  MOST_SINGLE_DEVICES,
  SINGLE_DEVICES_ZOOM,
  SMALLEST_CELL_DEGREES,
  type LocationCells,
  type PlacedDevice,
  type locationCellsInput,
} from '@deviceportal/contract/locations';
import { holds } from '@deviceportal/contract/permissions';
import { neverTrue } from '../devices/data/search/device-predicate.ts';
import { filterReachOf } from '../devices/data/search/filter-conditions.ts';
import { scopePredicate } from '../devices/data/search/scope-predicate.ts';
import { inTransaction, type Database, type Executor } from '../platform/database/database.ts';
import { keepFresh, type KeepFreshOptions } from '../platform/keep-fresh.ts';
import type { NamedSettings } from '../platform/parameters/named-settings.ts';
import type { Caller, Viewer } from '../platform/viewer.ts';
import { every } from '../devices/data/search/predicate-forms.ts';
import { cellsThatHold } from './data/cell-queries.ts';
import { countCells, type CellsRequest } from './count-cells.ts';
import { levelFor, rangeOf, widenToCells } from './map-grid.ts';
import { readPlacedDevices } from './read-placed-devices.ts';
import { recordLocationAccess } from './record-location-access.ts';
import { visiblePlaces } from './visible-places.ts';

export interface PlacesDependencies {
  readonly database: Database;
  readonly clock: () => Date;
  readonly named: Pick<NamedSettings, 'supportedCountries'>;
}

export type CellsInput = z.infer<typeof locationCellsInput>;

/** Cache lifetime: at least that of the counters, and longer for slow filters. */
const freshness: KeepFreshOptions = { shortestAgeMs: 1_000, agePerDuration: 10, maxEntries: 300 };

/**
 * Returns what a map shows: cells, counted once for all viewers who see the same; at a high zoom, few devices
 * individually.
 */
export function createShowPlaces(
  deps: PlacesDependencies,
): (caller: Caller, input: CellsInput) => Promise<LocationCells> {
  const fresh = keepFresh((request: CellsRequest) => countCells(deps, request), freshness);
  return async (caller, { bbox, zoom, filter, exact }) => {
    const view = rangeOf(bbox);
    const level = levelFor(zoom, view);
    const range = widenToCells(view, level);
    const { viewer } = caller;
    const key = JSON.stringify([filterReachOf(viewer), level, range, filter, exact]);
    const { cells, approximate } = await fresh(key, {
      viewer,
      filter,
      exact,
      question: { range, level, supportedCountries: deps.named.supportedCountries },
    });
    const total = cells.reduce((sum, { count }) => sum + count, 0);
    const cellDegrees = 2 ** level * SMALLEST_CELL_DEGREES;
    // Estimated counts show no individual devices. They appear once the count is exact.
    const single =
      zoom >= SINGLE_DEVICES_ZOOM && !approximate
        ? total === 0
          ? []
          : await singles(deps, caller, { bbox, filter })
        : null;
    return single === null
      ? { cells, devices: [], total, cellDegrees, approximate }
      : { cells: [], devices: single, total: single.length, cellDegrees, approximate: false };
  };
}

/** The cells that contain such devices according to the counters; null if the counters do not cover the filter. */
async function heldCells(
  on: Executor,
  viewer: Viewer,
  { bbox, filter }: Pick<CellsInput, 'bbox' | 'filter'>,
  now: Date,
): Promise<SQL | null> {
  const { conditions, isCounted } = await visiblePlaces(on, viewer, { filter, now });
  return isCounted && conditions.length > 0
    ? cellsThatHold(rangeOf(bbox), every(conditions))
    : null;
}

/** The individual devices, with an access recorded for their precise locations; null if there are too many of them. */
async function singles(
  deps: PlacesDependencies,
  caller: Caller,
  { bbox, filter }: Pick<CellsInput, 'bbox' | 'filter'>,
): Promise<readonly PlacedDevice[] | null> {
  const { viewer } = caller;
  return inTransaction(deps.database, async (tx) => {
    const { conditions } = await visiblePlaces(tx, viewer, {
      filter,
      now: deps.clock(),
      uncounted: true,
    });
    const mayLocatePrecisely = holds(viewer.grants, 'locations:read-precise')
      ? scopePredicate(viewer.grants, ['locations:read-precise'])
      : neverTrue;
    const devices = await readPlacedDevices(tx, {
      area: bbox,
      conditions,
      cells: await heldCells(tx, viewer, { bbox, filter }, deps.clock()),
      mayLocatePrecisely,
      supportedCountries: deps.named.supportedCountries,
      limit: MOST_SINGLE_DEVICES + 1,
    });
    if (devices.length > MOST_SINGLE_DEVICES) return null;
    await recordLocationAccess(tx, caller, {
      deviceIds: devices.filter(({ precise }) => precise).map(({ id }) => id),
      data: { on: 'map', devices: devices.length },
    });
    return devices;
  });
}
