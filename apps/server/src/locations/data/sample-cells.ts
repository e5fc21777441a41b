import { between, or, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { LocationCell } from '@deviceportal/contract/locations';
import type { Predicate } from '../../devices/data/search/device-predicate.ts';
import { every, speaksOf } from '../../devices/data/search/predicate-forms.ts';
import { d, fromD, fromS, s } from '../../devices/data/search/search-rows.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { GridRange } from '../map-grid.ts';
import { placedAt, readCells, type CellQuestion } from './cell-queries.ts';
import { deviceLocation } from './locations-tables.ts';
import { inRange } from './place-predicate.ts';
import { fromL, l } from './place-rows.ts';

/** Approximate number of devices in view that are sampled. */
const SAMPLED_DEVICES = 3_000;
/** A constant seed selects the same sample each time, so that cells stay in place while nothing changes. */
const SEED = 1;
/** Up to this number of devices in view, reading the index of locations costs less than sampling the whole table. */
const INDEXED_DEVICES = 20_000;
/** The share of devices in view is a power of two, selected by the bits of a hash. */
const SHARES = 1_024;

/**
 * Estimates cells from a sample of the devices in view; each sampled device represents as many as there are in view
 * per sampled one.
 * @param inView number of devices in view, without a filter
 */
export function sampleCells(
  on: Executor,
  question: CellQuestion,
  { conditions, inView }: { readonly conditions: readonly Predicate[]; readonly inView: number },
): Promise<LocationCell[]> {
  const { range, level } = question;
  const share = Math.min(1, SAMPLED_DEVICES / inView);
  const ofDevice = conditions.filter((condition) => speaksOf(condition) === 'device');
  const others = conditions.filter((condition) => !ofDevice.includes(condition));
  return readCells(
    on,
    question,
    sql`
    with sampled as materialized (
      ${inView <= INDEXED_DEVICES ? sampleOfIndex(range, share) : sampleOfPages(range, share)}),
    matching as materialized (select l.* from sampled ${l} ${ofDevice.length === 0 ? sql`` : joinDevice(ofDevice)})
    select ${placedAt(level)}, f.factor as n, ${l.cellRow} * f.factor as row_sum, ${l.cellColumn} * f.factor as column_sum
    from matching ${l}
    cross join (select ${inView}::float8 / greatest(count(*), 1) as factor from sampled) f
    cross join lateral (select * from ${fromS} where ${s.deviceId} = ${l.deviceId} offset 0) ${s}
    ${others.some(({ needsDevice }) => needsDevice) ? joinDevice([]) : sql``}
    where ${every(others)}`,
  );
}

/** Scopes are conditions on devices: the states of devices outside them are not read. */
function joinDevice(conditions: readonly Predicate[]): SQL {
  return sql`cross join lateral (select * from ${fromD}
    where ${d.id} = ${l.deviceId} and ${every(conditions)} offset 0) ${d}`;
}

function sampleOfPages(range: GridRange, share: number): SQL {
  return sql`select l.* from ${fromL} tablesample system (${100 * share}::float8) repeatable (${SEED}::int)
    where ${inRange(range, l)}`;
}

function sampleOfIndex(range: GridRange, share: number): SQL {
  const i = alias(deviceLocation, 'i');
  const columns = range.columns.map(({ from, to }) => between(i.cellColumn, from, to));
  // Row by row of the grid, by the index alone: devices themselves are read only if they are in the sample.
  return sql`
    select l.* from generate_series(${range.fromRow}::int, ${range.toRow}::int) g
    cross join lateral (select ${i.deviceId} from ${deviceLocation} ${i}
      where ${i.cellRow} = g and (${or(...columns)})
        and (uuid_hash(${i.deviceId}) & ${SHARES - 1}::int) < ${Math.ceil(SHARES * share)}::int offset 0) ${i}
    cross join lateral (select * from ${fromL} where ${l.deviceId} = ${i.deviceId} offset 0) ${l}`;
}
