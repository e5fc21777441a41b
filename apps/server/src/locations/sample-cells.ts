import { sql, type SQL } from 'drizzle-orm';
import type { LocationCell } from '@deviceportal/contract/locations';
import type { Predicate } from '../devices/data/search/device-predicate.ts';
import { every } from '../devices/data/search/predicate-forms.ts';
import type { Executor } from '../platform/database/database.ts';
import { readCells, type CellQuestion } from './cell-store.ts';
import type { GridRange } from './map-grid.ts';
import { inRange } from './place-predicate.ts';

/** So many devices in view are looked at, about. */
const SAMPLED_DEVICES = 3_000;
/** The same sample each time: cells stay where they are while nothing changes. */
const SEED = 1;
/** Up to so many in view, it is less to look through the index of places than through a share of the whole table. */
const INDEXED_DEVICES = 20_000;
/** Shares of the devices in view: of a power of two, by the bits of a hash. */
const SHARES = 1_024;

/**
 * Cells reckoned from a sample of the devices in view, each of which then stands for as many as are in view for each one
 * that was looked at.
 *
 * @param inView how many devices are in view, whichever they are
 */
export function sampleCells(
  on: Executor,
  question: CellQuestion,
  { conditions, inView }: { readonly conditions: readonly Predicate[]; readonly inView: number },
): Promise<LocationCell[]> {
  const { range, level } = question;
  const share = Math.min(1, SAMPLED_DEVICES / inView);
  return readCells(
    on,
    question,
    sql`
    with sampled as materialized (
      ${inView <= INDEXED_DEVICES ? sampleOfIndex(range, share) : sampleOfPages(range, share)})
    select l.cell_row >> ${level}::int as r, l.cell_column >> ${level}::int as q, coalesce(l.country, '') as place_country,
      s.connectivity, f.factor as n, l.cell_row * f.factor as row_sum, l.cell_column * f.factor as column_sum
    from sampled l
    cross join (select ${inView}::float8 / greatest(count(*), 1) as factor from sampled) f
    cross join lateral (select * from device_status s where s.device_id = l.device_id offset 0) s
    cross join lateral (select * from device d where d.id = l.device_id offset 0) d
    where ${every(conditions)}`,
  );
}

function sampleOfPages(range: GridRange, share: number): SQL {
  return sql`select l.* from device_location l tablesample system (${100 * share}::float8) repeatable (${SEED}::int)
    where ${inRange(range, sql`l`)}`;
}

function sampleOfIndex(range: GridRange, share: number): SQL {
  const columns = range.columns.map(
    ({ from, to }) => sql`i.cell_column between ${from}::int and ${to}::int`,
  );
  // Row by row of the grid, and nothing but the index: devices themselves are read where they are in the sample.
  return sql`
    select l.* from generate_series(${range.fromRow}::int, ${range.toRow}::int) g
    cross join lateral (select i.device_id from device_location i
      where i.cell_row = g and (${sql.join(columns, sql` or `)})
        and (uuid_hash(i.device_id) & ${SHARES - 1}::int) < ${Math.ceil(SHARES * share)}::int offset 0) i
    cross join lateral (select * from device_location l where l.device_id = i.device_id offset 0) l`;
}
