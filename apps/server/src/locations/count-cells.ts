import type { DeviceFilter } from '@deviceportal/contract/devices';
import { SAMPLED_FROM_DEVICES, type LocationCells } from '@deviceportal/contract/locations';
import { matchesOfFilter } from '../devices/data/search/matches-of-filter.ts';
import { every } from '../devices/data/search/predicate-forms.ts';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import {
  countInView,
  readCountedCells,
  readDeviceCells,
  type CellQuestion,
} from './data/cell-queries.ts';
import { sampleCells } from './data/sample-cells.ts';
import { visiblePlaces } from './visible-places.ts';

/** Up to this number, devices are looked up by their ids; above it, whole tables are read. */
const LOOKED_UP_DEVICES = 120_000;
/** Number of devices that may be looked up while a user waits. */
const SOON_LOOKED_UP_DEVICES = 5_000;

export interface CellsRequest {
  readonly viewer: Viewer;
  readonly filter: DeviceFilter;
  readonly question: CellQuestion;
  readonly exact: boolean;
}

/** Counts the devices that match a filter by cells of the map, within the viewer's scope. */
export async function countCells(
  deps: { readonly database: Database; readonly clock: () => Date },
  { viewer, filter, question, exact }: CellsRequest,
): Promise<Pick<LocationCells, 'cells' | 'approximate'>> {
  const on = deps.database.orm;
  const { conditions, isCounted } = await visiblePlaces(on, viewer, { filter, now: deps.clock() });
  if (isCounted) {
    const cells = await readCountedCells(on, question, every(conditions));
    return { cells, approximate: false };
  }
  const inView = exact ? 0 : await countInView(on, question);
  const isSoonCounted = inView < SAMPLED_FROM_DEVICES;
  const mostIds = exact || isSoonCounted ? LOOKED_UP_DEVICES : SOON_LOOKED_UP_DEVICES;
  const matches = await matchesOfFilter(on, conditions, mostIds);
  if (exact || isSoonCounted || matches.kind === 'ids')
    return {
      cells: await readDeviceCells(on, question, matches),
      approximate: false,
    };
  return { cells: await sampleCells(on, question, { conditions, inView }), approximate: true };
}
