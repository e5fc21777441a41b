import { sql } from 'drizzle-orm';
import type { DeviceFilter } from '@deviceportal/contract/devices';
import type { LocationCell } from '@deviceportal/contract/locations';
import { matchesOfFilter } from '../devices/search/matches-of-filter.ts';
import { every } from '../devices/search/predicate-forms.ts';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { readCells, readCountedCells, type CellQuestion } from './cell-store.ts';
import { inRange } from './place-predicate.ts';
import { seenPlaces, type SeenPlaces } from './seen-places.ts';

/** Up to so many devices are looked up by their ids; for more of them whole tables are read. */
const LOOKED_UP_DEVICES = 120_000;

export interface CellsRequest {
  readonly viewer: Viewer;
  readonly filter: DeviceFilter;
  readonly question: CellQuestion;
}

/** Counts the devices that a filter means by cells of the map, within the viewer's scope. */
export async function countCells(
  deps: { readonly database: Database; readonly clock: () => Date },
  { viewer, filter, question }: CellsRequest,
): Promise<readonly LocationCell[]> {
  const on = deps.database.orm;
  const seen = await seenPlaces(on, viewer, { filter, now: deps.clock() });
  return seen.isCounted
    ? readCountedCells(on, question, every(seen.conditions))
    : readCells(on, question, await devicesOf(deps, seen, question));
}

/** Found one by one: where a filter asks what the counters do not know. */
async function devicesOf(
  deps: { readonly database: Database },
  { conditions }: SeenPlaces,
  { range, level }: CellQuestion,
) {
  const matches = await matchesOfFilter(deps.database.orm, conditions, LOOKED_UP_DEVICES);
  const joined =
    matches.kind === 'ids'
      ? sql`device_location l join device_status s on s.device_id = l.device_id
          where l.device_id = any(${matches.ids})`
      : sql`device_location l join device_status s on s.device_id = l.device_id join device d on d.id = l.device_id
          where ${matches.where}`;
  return sql`
    select l.cell_row >> ${level}::int as r, l.cell_column >> ${level}::int as q, coalesce(l.country, '') as place_country,
      s.connectivity, 1 as n, l.cell_row as row_sum, l.cell_column as column_sum
    from ${joined} and ${inRange(range, sql`l`)}`;
}
