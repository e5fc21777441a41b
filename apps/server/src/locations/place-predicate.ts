import { sql, type SQL } from 'drizzle-orm';
import type { MapArea } from '@deviceportal/contract/map-area';
import {
  allOf,
  fromRows,
  onDevice,
  source,
  type Predicate,
} from '../devices/data/search/device-predicate.ts';
import { d } from '../devices/data/search/search-rows.ts';
import { rangeOf, type GridRange } from './map-grid.ts';

/** Whether the place in the row `place` (an alias of device_location) lies in a range of the grid. */
export function inRange({ fromRow, toRow, columns }: GridRange, place: SQL): SQL {
  const within = columns.map(
    ({ from, to }) => sql`${place}.cell_column between ${from}::int and ${to}::int`,
  );
  return sql`${place}.cell_row between ${fromRow}::int and ${toRow}::int and (${sql.join(within, sql` or `)})`;
}

/**
 * Devices whose place, rounded to 0.1 degree, is in an area; only those whose place the viewer may see at all.
 *
 * @param mayLocate where the viewer may see places; null: everywhere
 */
export function placedIn(area: MapArea, mayLocate: Predicate | null): Predicate {
  const range = rangeOf(area);
  const placed = onDevice(
    sql`exists (select from device_location l where l.device_id = ${d.id} and ${inRange(range, sql`l`)})`,
    [
      source([
        fromRows(
          { from: sql`device_location b`, deviceId: sql`b.device_id` },
          inRange(range, sql`b`),
        ),
      ]),
    ],
  );
  return mayLocate === null ? placed : allOf([placed, mayLocate]);
}
