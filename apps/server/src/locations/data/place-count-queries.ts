import { asc, gt, sql } from 'drizzle-orm';
import { deviceConnections } from '../../devices/data/device-connections.ts';
import { idArrayParam } from '../../devices/data/search/device-predicate.ts';
import { columnNames } from '../../platform/database/column-names.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { excluded, setExcluded } from '../../platform/database/excluded.ts';
import { keptLevels } from '../map-grid.ts';
import {
  countedPlace,
  deviceLocation,
  movedPlace,
  placeCount,
  placeProgress,
} from './locations-tables.ts';

/** The facets under which a device is counted. */
const facets = [
  'cellRow',
  'cellColumn',
  'connectivity',
  'country',
  'model',
  'placeCountry',
] as const;
const facetColumns = facets.map((facet) => countedPlace[facet]);
const facetNames = columnNames(...facetColumns);
const countNames = columnNames(...facets.map((facet) => placeCount[facet]));
const of = (alias: 'n' | 'o') =>
  sql.join(
    facetColumns.map(({ name }) => sql`${sql.identifier(alias)}.${sql.identifier(name)}`),
    sql`, `,
  );

/**
 * Counts these devices by their current location and state, and subtracts their previous count. Idempotent: the
 * counters are correct afterwards, regardless of earlier events and repetitions. Must not run concurrently.
 */
export async function recountPlaces(tx: Transaction, deviceIds: readonly string[]): Promise<void> {
  if (deviceIds.length === 0) return;
  const ids = idArrayParam([...new Set(deviceIds)]);
  const levels = sql.join(
    keptLevels.map((level) => sql`(${level}::int)`),
    sql`, `,
  );
  const { cellRow, cellColumn, country, deviceId } = deviceLocation;
  const status = deviceConnections;
  const id = columnNames(countedPlace.deviceId);
  const { devices, level, rowSum, columnSum } = placeCount;
  const row = columnNames(countedPlace.cellRow);
  const column = columnNames(countedPlace.cellColumn);
  await tx.execute(sql`
    with n (${id}, ${facetNames}) as materialized (
      select ${deviceId}, ${cellRow}, ${cellColumn}, ${status.connectivity}, coalesce(${status.country}, ''),
        coalesce(${status.model}, ''), coalesce(${country}, '')
      from ${deviceLocation} join ${status} on ${status.deviceId} = ${deviceId}
      where ${deviceId} = any(${ids}) and ${status.lifecycle} <> 'retired'),
    o as materialized (
      select ${countedPlace.deviceId}, ${sql.join(facetColumns, sql`, `)} from ${countedPlace}
      where ${countedPlace.deviceId} = any(${ids})),
    changed as materialized (
      select coalesce(n.${id}, o.${id}) as id, n.${id} is not null as counts, o.${id} is not null as counted
      from n full join o on o.${id} = n.${id}
      where (${of('n')}) is distinct from (${of('o')})),
    kept as (
      insert into ${countedPlace} (${id}, ${facetNames})
      select n.* from n join changed t on t.id = n.${id} and t.counts
      on conflict (${id}) do update set ${setExcluded(countedPlace, facets)}),
    gone as (delete from ${countedPlace} using changed t where ${countedPlace.deviceId} = t.id and not t.counts),
    turn as (
      select ${of('n')}, 1 as by from n join changed t on t.id = n.${id}
      union all
      select ${of('o')}, -1 as by from o join changed t on t.id = o.${id})
    insert into ${placeCount} (${columnNames(level)}, ${countNames}, ${columnNames(devices, rowSum, columnSum)})
    select l.level, ${row} >> l.level, ${column} >> l.level,
      ${columnNames(...facetColumns.slice(2))}, sum(by), sum(by * ${row}), sum(by * ${column})
    from turn cross join (values ${levels}) l(level)
    group by 1, 2, 3, 4, 5, 6, 7 having sum(by) <> 0 or sum(by * ${row}) <> 0 or sum(by * ${column}) <> 0
    order by 1, 2, 3, 4, 5, 6, 7
    on conflict (${columnNames(level)}, ${countNames}) do update
    set ${columnNames(devices)} = ${devices} + ${excluded(devices)},
      ${columnNames(rowSum)} = ${rowSum} + ${excluded(rowSum)},
      ${columnNames(columnSum)} = ${columnSum} + ${excluded(columnSum)}`);
}

export type PlaceProgress = Omit<typeof placeProgress.$inferSelect, 'id'>;

export async function loadPlaceProgress(on: Executor): Promise<PlaceProgress | undefined> {
  const { sealedUpTo, sweptTo, sweepEndedAt } = placeProgress;
  const [progress] = await on.select({ sealedUpTo, sweptTo, sweepEndedAt }).from(placeProgress);
  return progress;
}

export async function savePlaceProgress(tx: Transaction, progress: PlaceProgress): Promise<void> {
  await tx
    .insert(placeProgress)
    .values({ id: 1, ...progress })
    .onConflictDoUpdate({ target: placeProgress.id, set: progress });
}

/** Removes devices that moved from the queue. */
export async function takeMovedDevices(tx: Transaction, limit: number): Promise<string[]> {
  const first = tx
    .select({ id: movedPlace.id })
    .from(movedPlace)
    .orderBy(movedPlace.id)
    .limit(limit);
  const taken = await tx
    .delete(movedPlace)
    .where(sql`${movedPlace.id} = any(array${first})`)
    .returning({ deviceId: movedPlace.deviceId });
  return taken.map((row) => row.deviceId);
}

export async function placedDevicesAfter(
  on: Executor,
  id: string,
  limit: number,
): Promise<string[]> {
  const rows = await on
    .select({ deviceId: deviceLocation.deviceId })
    .from(deviceLocation)
    .where(gt(deviceLocation.deviceId, id))
    .orderBy(asc(deviceLocation.deviceId))
    .limit(limit);
  return rows.map((row) => row.deviceId);
}
