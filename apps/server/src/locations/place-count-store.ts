import { sql, type SQL } from 'drizzle-orm';
import { idArrayParam } from '../devices/data/search/device-predicate.ts';
import type { Executor, Transaction } from '../platform/database/database.ts';
import { keptLevels } from './map-grid.ts';

const facets = sql.raw('cell_row, cell_column, connectivity, country, model, place_country');
const of = (alias: 'n' | 'o'): SQL =>
  sql.raw(
    ['cell_row', 'cell_column', 'connectivity', 'country', 'model', 'place_country']
      .map((column) => `${alias}.${column}`)
      .join(', '),
  );

/**
 * Counts these devices where they are and as they are now, and takes back as what they were counted before. Whatever
 * happened to them, and however often this is done, the counters are right afterwards. To be done by one at a time.
 */
export async function countPlacesAnew(
  tx: Transaction,
  deviceIds: readonly string[],
): Promise<void> {
  if (deviceIds.length === 0) return;
  const ids = idArrayParam([...new Set(deviceIds)]);
  const levels = sql.join(
    keptLevels.map((level) => sql`(${level}::int)`),
    sql`, `,
  );
  await tx.execute(sql`
    with n as materialized (
      select l.device_id, l.cell_row, l.cell_column, s.connectivity, coalesce(s.country, '') as country,
        coalesce(s.model, '') as model, coalesce(l.country, '') as place_country
      from device_location l join device_status s on s.device_id = l.device_id
      where l.device_id = any(${ids}) and s.lifecycle <> 'retired'),
    o as materialized (select * from counted_place where device_id = any(${ids})),
    turned as materialized (
      select coalesce(n.device_id, o.device_id) as id, n.device_id is not null as counts, o.device_id is not null as counted
      from n full join o on o.device_id = n.device_id
      where (${of('n')}) is distinct from (${of('o')})),
    kept as (
      insert into counted_place (device_id, ${facets})
      select n.* from n join turned t on t.id = n.device_id and t.counts
      on conflict (device_id) do update set cell_row = excluded.cell_row, cell_column = excluded.cell_column,
        connectivity = excluded.connectivity, country = excluded.country, model = excluded.model,
        place_country = excluded.place_country),
    gone as (delete from counted_place c using turned t where c.device_id = t.id and not t.counts),
    turn as (
      select ${of('n')}, 1 as by from n join turned t on t.id = n.device_id
      union all
      select ${of('o')}, -1 as by from o join turned t on t.id = o.device_id)
    insert into place_count as c (level, ${facets}, devices, row_sum, column_sum)
    select l.level, cell_row >> l.level, cell_column >> l.level, connectivity, country, model, place_country, sum(by),
      sum(by * cell_row), sum(by * cell_column)
    from turn cross join (values ${levels}) l(level)
    group by 1, 2, 3, 4, 5, 6, 7 having sum(by) <> 0 or sum(by * cell_row) <> 0 or sum(by * cell_column) <> 0
    order by 1, 2, 3, 4, 5, 6, 7
    on conflict (level, ${facets}) do update set devices = c.devices + excluded.devices,
      row_sum = c.row_sum + excluded.row_sum, column_sum = c.column_sum + excluded.column_sum`);
}

export interface PlaceProgress {
  readonly sealedUpTo: number;
  readonly sweptTo: string | null;
  readonly sweepEndedAt: Date | null;
}

export async function loadPlaceProgress(on: Executor): Promise<PlaceProgress | undefined> {
  const { rows } = await on.execute<{
    sealed_up_to: number;
    swept_to: string | null;
    sweep_ended_at: string | null;
  }>(
    sql`select sealed_up_to::float8 as sealed_up_to, swept_to, sweep_ended_at from place_progress`,
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    sealedUpTo: row.sealed_up_to,
    sweptTo: row.swept_to,
    sweepEndedAt: row.sweep_ended_at === null ? null : new Date(row.sweep_ended_at),
  };
}

export async function savePlaceProgress(tx: Transaction, progress: PlaceProgress): Promise<void> {
  const { sealedUpTo, sweptTo, sweepEndedAt } = progress;
  await tx.execute(sql`
    insert into place_progress (id, sealed_up_to, swept_to, sweep_ended_at)
    values (1, ${sealedUpTo}, ${sweptTo}, ${sweepEndedAt?.toISOString() ?? null})
    on conflict (id) do update set sealed_up_to = excluded.sealed_up_to, swept_to = excluded.swept_to,
      sweep_ended_at = excluded.sweep_ended_at`);
}

/** Whether this process alone counts until its transaction ends. */
export async function takeCountingTurn(tx: Transaction): Promise<boolean> {
  const { rows } = await tx.execute<{ held: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtext('count-places')) as held`,
  );
  return rows[0]?.held === true;
}

export async function lastSealedEvent(on: Executor): Promise<number> {
  const { rows } = await on.execute<{ sequence: number }>(
    sql`select coalesce(max(last_sequence), 0)::float8 as sequence from audit_block`,
  );
  return rows[0]?.sequence ?? 0;
}

/** The devices that the next piece of the trail says have turned, and where that piece ends. */
export async function readTurnedDevices(
  on: Executor,
  piece: { readonly after: number; readonly limit: number; readonly types: readonly string[] },
): Promise<{
  readonly upTo: number;
  readonly deviceIds: readonly string[];
  readonly full: boolean;
}> {
  const { rows } = await on.execute<{ up_to: number | null; n: number; ids: string[] | null }>(sql`
    with s as materialized (
      select b.first_sequence + u.position - 1 as sequence, u.event_id
      from audit_block b cross join lateral unnest(b.event_ids) with ordinality as u(event_id, position)
      where b.last_sequence > ${piece.after} and b.first_sequence + u.position - 1 > ${piece.after}
      order by b.last_sequence, u.position limit ${piece.limit})
    select (select max(sequence)::float8 from s) as up_to, (select count(*)::int from s) as n,
      (select array_agg(distinct e.device_id) from s join audit_event e on e.id = s.event_id
        where e.device_id is not null and e.type = any(${sql.param([...piece.types])}::text[])) as ids`);
  const [row] = rows;
  return {
    upTo: row?.up_to ?? piece.after,
    deviceIds: row?.ids ?? [],
    full: row?.n === piece.limit,
  };
}

/** Takes devices that moved out of the queue. */
export async function takeMovedDevices(tx: Transaction, limit: number): Promise<string[]> {
  const { rows } = await tx.execute<{ device_id: string }>(sql`
    delete from moved_place where id = any(array(select id from moved_place order by id limit ${limit}))
    returning device_id`);
  return rows.map((row) => row.device_id);
}

export async function placedDevicesAfter(
  on: Executor,
  id: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await on.execute<{ device_id: string }>(sql`
    select device_id from device_location where device_id > ${id}::uuid order by device_id limit ${limit}`);
  return rows.map((row) => row.device_id);
}
