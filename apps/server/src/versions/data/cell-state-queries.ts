import { eq, getTableColumns, isNotNull, sql, type SQL } from 'drizzle-orm';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { portalNow } from '../../platform/columns.ts';
import { columnNames } from '../../platform/database/column-names.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { setExcluded } from '../../platform/database/excluded.ts';
import { selectList, selectRows } from '../../platform/database/select-rows.ts';
import { deviceVersion, versionCell, versionCellDelta, versionRestate } from './versions-tables.ts';

/**
 * The same number as in the migration: inserts of new cells take this lock in shared mode while they read approvals.
 */
const CELL_LOCK = 7_314_900_011;

const { component, version, model, country, devices, state } = versionCell;
/** The columns of a cell's key, without their table. */
const cellKey = columnNames(component, version, model, country);
const ofCell = (cell: SQL): SQL =>
  sql.join(
    [component, version, model, country].map(
      (column) => sql`${column} = ${cell}.${columnNames(column)}`,
    ),
    sql` and `,
  );

/**
 * Recomputes the states of a component's versions after a change of an approval or of a version's state. Devices that
 * run them are updated afterwards (`restate-devices.ts`), because there may be many.
 */
export async function refreshCellStates(tx: Transaction, of: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${CELL_LOCK})`);
  await lockCells(tx, eq(component, of));
  const delta = versionCellDelta;
  const restate = versionRestate;
  const names = columnNames(restate.component, restate.version);
  await tx.execute(sql`
    with changed as (
      update ${versionCell} set ${columnNames(state)} = fresh.state
      from (select ${cellKey}, tav_state(${cellKey}) as state from ${versionCell} where ${eq(component, of)}) fresh
      where ${ofCell(sql`fresh`)} and ${state} is distinct from fresh.state
      returning ${version} as version, ${devices} as devices)
    insert into ${restate} (${names}, ${columnNames(restate.devices)})
    select ${of}, version, greatest(0, sum(devices) + coalesce((
        select sum(${delta.devices}) from ${delta}
        where ${eq(delta.component, of)} and ${delta.version} = changed.version), 0))
    from changed group by version order by version
    on conflict (${names}) do update
    set ${columnNames(restate.generation)} = ${restate.generation} + 1,
      ${columnNames(restate.devices)} = ${restate.devices} - ${restate.done} + excluded.${columnNames(restate.devices)},
      ${columnNames(restate.done)} = 0, ${columnNames(restate.after)} = null, ${columnNames(restate.horizon)} = null,
      ${columnNames(restate.settled)} = false, ${columnNames(restate.since)} = ${portalNow}`);
}

/** Every transaction that changes several cells locks them in the order of their keys, which prevents deadlocks. */
async function lockCells(tx: Transaction, which: SQL): Promise<void> {
  await tx.execute(
    sql`select from ${versionCell} where ${which} order by ${cellKey} for no key update`,
  );
}

const foldedList = selectList({ deltas: sql<number>`count(*)::int` });

/** Adds pending count changes to the counts. @returns their number */
export async function applyCellDeltas(on: Executor, most: number): Promise<number> {
  const { id } = versionCellDelta;
  const key = columnNames(
    versionCellDelta.component,
    versionCellDelta.version,
    versionCellDelta.model,
    versionCellDelta.country,
  );
  const all = columnNames(...Object.values(getTableColumns(versionCellDelta)));
  const n = columnNames(devices);
  const [folded] = await selectRows(
    on,
    foldedList,
    (list) => sql`
    with gone as (
      delete from ${versionCellDelta} where ${id} in (
        select ${id} from ${versionCellDelta} order by ${id} limit ${most} for update skip locked) returning ${all}),
    sums as (select ${key}, sum(${n})::int as ${n} from gone group by 1, 2, 3, 4),
    locked as materialized (
      select ${cellKey}, s.${n} from ${versionCell} join sums s using (${cellKey})
      where s.${n} <> 0 order by ${cellKey} for no key update of ${versionCell}),
    done as (
      update ${versionCell} set ${n} = ${devices} + l.${n} from locked l where ${ofCell(sql`l`)})
    select ${list} from gone`,
  );
  return folded?.deltas ?? 0;
}

/**
 * Recounts everything. Counts are updated with each change; if a device's model and versions change concurrently, a
 * count can be off by one, which this corrects. All devices are checked again as well.
 */
export async function recountCells(tx: Transaction): Promise<void> {
  await tx.execute(sql`lock table ${versionCellDelta} in share row exclusive mode`);
  await tx.delete(versionCellDelta);
  await lockCells(tx, sql`true`);
  const device = deviceRecords;
  await tx.execute(sql`
    with counted (${cellKey}, n) as (
      select ${deviceVersion.component}, ${deviceVersion.version}, coalesce(${device.model}, ''),
        coalesce(${device.country}, ''), count(*)::int
      from ${deviceVersion} join ${device} on ${device.deviceId} = ${deviceVersion.deviceId}
        and ${device.lifecycle} <> 'retired'
      group by 1, 2, 3, 4),
    added as (
      insert into ${versionCell} (${cellKey}, ${columnNames(devices, state)})
      select ${cellKey}, n, tav_state(${cellKey}) from counted order by 1, 2, 3, 4
      on conflict (${cellKey}) do update set ${setExcluded(versionCell, ['devices'])}
      where ${devices} <> excluded.${columnNames(devices)})
    update ${versionCell} set ${columnNames(devices)} = 0
    where ${devices} <> 0 and not exists (select from counted where ${ofCell(sql`counted`)})`);
  await tx.execute(sql`
    insert into ${versionRestate}
      (${columnNames(versionRestate.component, versionRestate.version, versionRestate.devices)})
    select distinct ${component}, ${version}, 0 from ${versionCell} where ${isNotNull(state)}
    on conflict do nothing`);
}
