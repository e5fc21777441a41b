import { and, between, eq, or, sql, type SQL } from 'drizzle-orm';
import type { MapArea } from '@deviceportal/contract/map-area';
import {
  allOf,
  fromRows,
  onDevice,
  source,
  type Predicate,
} from '../../devices/data/search/device-predicate.ts';
import { d } from '../../devices/data/search/search-rows.ts';
import { rangeOf, type GridRange } from '../map-grid.ts';
import { deviceLocation } from './locations-tables.ts';
import type { l } from './place-rows.ts';

type Place = typeof deviceLocation | typeof l;

/** Whether a location is in a range of the grid. */
export const inRange = ({ fromRow, toRow, columns }: GridRange, place: Place): SQL =>
  and(
    between(place.cellRow, fromRow, toRow),
    or(...columns.map(({ from, to }) => between(place.cellColumn, from, to))),
  ) ?? sql`true`;

/**
 * Devices whose location, rounded to 0.1 degree, is in an area; only those whose location the viewer may see.
 * @param mayLocate where the viewer may see locations; null: everywhere
 */
export function placedIn(area: MapArea, mayLocate: Predicate | null): Predicate {
  const { deviceId } = deviceLocation;
  const isInside = inRange(rangeOf(area), deviceLocation);
  const placed = onDevice(
    sql`exists (select from ${deviceLocation} where ${eq(deviceId, d.id)} and ${isInside})`,
    [source([fromRows({ from: sql`${deviceLocation}`, deviceId }, isInside)])],
  );
  return mayLocate === null ? placed : allOf([placed, mayLocate]);
}
