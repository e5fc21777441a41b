import { and, between, gte, lte, or, sql, Subquery, type SQL } from 'drizzle-orm';
import type { MapArea } from '@deviceportal/contract/map-area';
import { matchesOfFilter } from '../../devices/data/search/matches-of-filter.ts';
import type { Predicate } from '../../devices/data/search/device-predicate.ts';
import { d, fromD, fromS, s } from '../../devices/data/search/search-rows.ts';
import type { Executor } from '../../platform/database/database.ts';
import { rangeOf } from '../map-grid.ts';
import { inRange } from './place-predicate.ts';
import { fromL, l } from './place-rows.ts';

/** Up to this number, devices are looked up by their ids. */
const FEW_DEVICES = 5_000;

export interface PlacedQuestion {
  readonly area: MapArea;
  readonly conditions: readonly Predicate[];
  /** A statement that yields the only cells, by row and column, that contain such devices; null: any cell. */
  readonly cells: SQL | null;
  /** Where the viewer may see precise locations; null: everywhere. */
  readonly mayLocatePrecisely: Predicate | null;
  readonly limit: number;
}

/**
 * The individual devices in an area. A device whose location is rounded for the viewer is in the area if the rounded
 * location is.
 */
export async function selectPlacedDevices(on: Executor, question: PlacedQuestion) {
  const { area, mayLocatePrecisely } = question;
  const matches = await matchesOfFilter(on, question.conditions, FEW_DEVICES);
  const exactly = liesIn(area);
  const near = and(inRange(rangeOf(area), l), mayLocatePrecisely === null ? exactly : undefined);
  // Read by location, so that the limit ends it early, or by the few matching devices.
  const placed =
    matches.kind === 'ids'
      ? sql`select * from ${fromL} where ${l.deviceId} = any(${matches.ids}) and ${near}`
      : question.cells === null
        ? sql`select * from ${fromL} where ${near}`
        : sql`select l.* from (select distinct cell_row, cell_column from (${question.cells}) x) held
            cross join lateral (select * from ${fromL} where ${l.cellRow} = held.cell_row
              and ${l.cellColumn} = held.cell_column and ${near} offset 0) ${l}`;
  const precise = sql<boolean>`p.precise`;
  return on
    .select({
      id: d.id,
      serialNumber: d.serialNumber,
      name: d.name,
      connectivity: s.connectivity,
      lifecycle: d.lifecycle,
      instanceId: s.instanceId,
      platform: s.platform,
      lastSeenAt: s.lastSeenAt,
      place: {
        at: l.at,
        latitude: l.latitude,
        longitude: l.longitude,
        accuracyMeters: l.accuracyMeters,
        source: l.source,
        country: l.country,
      },
      precise,
    })
    .from(named(sql`${placed} offset 0`, 'l'))
    .crossJoinLateral(
      named(sql`select * from ${fromS} where ${s.deviceId} = ${l.deviceId} offset 0`, 's'),
    )
    .crossJoinLateral(
      named(sql`select * from ${fromD} where ${d.id} = ${l.deviceId} offset 0`, 'd'),
    )
    .crossJoinLateral(sql`(select ${mayLocatePrecisely?.where ?? sql`true`} as precise) p`)
    .where(
      and(matches.kind === 'ids' ? undefined : matches.where, sql`(not ${precise} or ${exactly})`),
    )
    .limit(question.limit);
}

/** The result of a query, under the alias of the rows that it selects. */
const named = (query: SQL, name: string): Subquery => new Subquery(query, {}, name);

const liesIn = ({ south, north, west, east }: MapArea): SQL | undefined =>
  and(
    between(l.latitude, south, north),
    west <= east
      ? between(l.longitude, west, east)
      : or(gte(l.longitude, west), lte(l.longitude, east)),
  );
