import { sql, type SQL } from 'drizzle-orm';
import type { PlacedDevice } from '@deviceportal/contract/locations';
import type { MapArea } from '@deviceportal/contract/map-area';
import { matchesOfFilter } from '../devices/data/search/matches-of-filter.ts';
import type { Predicate } from '../devices/data/search/device-predicate.ts';
import type { Executor } from '../platform/database/database.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import { rangeOf } from './map-grid.ts';
import { placeFor, type PlaceRecord } from './place-for.ts';
import { inRange } from './place-predicate.ts';

interface PlacedRow extends Record<string, unknown>, PlaceRecord {
  readonly id: string;
  readonly serialNumber: string | null;
  readonly name: string;
  readonly connectivity: PlacedDevice['connectivity'];
  readonly lifecycle: PlacedDevice['lifecycle'];
  readonly instanceId: string | null;
  readonly platform: string | null;
  readonly lastSeenAt: string | null;
  readonly precise: boolean;
}

/** Up to so many are looked up by their ids. */
const FEW_DEVICES = 5_000;

export interface PlacedQuestion {
  readonly area: MapArea;
  readonly conditions: readonly Predicate[];
  /** A statement that yields the only cells, by row and column, in which such devices are; null: anywhere. */
  readonly cells: SQL | null;
  /** Where precise places may be seen; null: everywhere. */
  readonly mayLocatePrecisely: Predicate | null;
  readonly supportedCountries: readonly string[];
  readonly limit: number;
}

/** Devices of an area one by one. Whose place is seen rounded is in the area if the rounded place is. */
export async function readPlacedDevices(
  on: Executor,
  question: PlacedQuestion,
): Promise<PlacedDevice[]> {
  const { area, supportedCountries } = question;
  const matches = await matchesOfFilter(on, question.conditions, FEW_DEVICES);
  const precisely = question.mayLocatePrecisely?.where ?? sql`true`;
  const longitude =
    area.west <= area.east
      ? sql`l.longitude between ${area.west} and ${area.east}`
      : sql`(l.longitude >= ${area.west} or l.longitude <= ${area.east})`;
  const exactly = sql`(l.latitude between ${area.south} and ${area.north} and ${longitude})`;
  const near = sql`${inRange(rangeOf(area), sql`l`)} and ${question.mayLocatePrecisely === null ? exactly : sql`true`}`;
  // Entered by the place, so that the first so many end it; or by the few devices that are meant.
  const placed =
    matches.kind === 'ids'
      ? sql`select * from device_location l where l.device_id = any(${matches.ids}) and ${near}`
      : question.cells === null
        ? sql`select * from device_location l where ${near}`
        : sql`select l.* from (select distinct cell_row, cell_column from (${question.cells}) x) held
            cross join lateral (select * from device_location l where l.cell_row = held.cell_row
              and l.cell_column = held.cell_column and ${near} offset 0) l`;
  const found = await on.execute<PlacedRow>(sql`
    select d.id, d.serial_number as "serialNumber", d.name, s.connectivity, d.lifecycle, s.instance_id as "instanceId",
      s.platform, s.last_seen_at as "lastSeenAt", l.at, l.latitude,
      l.longitude, l.accuracy_meters as "accuracyMeters", l.source, l.country, p.precise
    from (${placed} offset 0) l
    cross join lateral (select * from device_status s where s.device_id = l.device_id offset 0) s
    cross join lateral (select * from device d where d.id = l.device_id offset 0) d
    cross join lateral (select ${precisely} as precise) p
    where ${matches.kind === 'ids' ? sql`true` : matches.where} and (not p.precise or ${exactly})
    limit ${question.limit}`);
  return found.rows.map(({ precise, ...row }) => ({
    ...row,
    ...placeFor({ ...placeOf(row), at: isoOf(row.at) }, precise),
    lastSeenAt: row.lastSeenAt === null ? null : isoOf(row.lastSeenAt),
    outside:
      row.country !== null &&
      supportedCountries.length > 0 &&
      !supportedCountries.includes(row.country),
  }));
}

const placeOf = (row: PlaceRecord): PlaceRecord => ({
  at: row.at,
  latitude: row.latitude,
  longitude: row.longitude,
  accuracyMeters: row.accuracyMeters,
  source: row.source,
  country: row.country,
});
