import { between, desc, or, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { LocationCell } from '@deviceportal/contract/locations';
import {
  connectivity as connectivityStates,
  type Connectivity,
} from '@deviceportal/contract/states';
import type { Matches } from '../../devices/data/search/matches-of-filter.ts';
import { d, fromD, fromS, s } from '../../devices/data/search/search-rows.ts';
import type { Executor } from '../../platform/database/database.ts';
import { areaOfCell, keptLevelFor, type GridRange } from '../map-grid.ts';
import { placeCount } from './locations-tables.ts';
import { inRange } from './place-predicate.ts';
import { fromL, l } from './place-rows.ts';

const states = Object.keys(connectivityStates) as Connectivity[];
const c = alias(placeCount, 'c');

export interface CellQuestion {
  readonly range: GridRange;
  /** Cells of 2^level units. */
  readonly level: number;
  /** ISO 3166-1 alpha-2; empty: all countries are supported. */
  readonly supportedCountries: readonly string[];
}

/**
 * Reads cells from the counters.
 * @param condition over `d` (country, model) and `s` (connectivity), the only facts that the counters have of a
 * device
 */
export function readCountedCells(
  on: Executor,
  question: CellQuestion,
  condition: SQL,
): Promise<LocationCell[]> {
  const shift = question.level - keptLevelFor(question.level);
  const rows = sql`
    select ${c.cellRow} >> ${shift}::int as r, ${c.cellColumn} >> ${shift}::int as q, ${c.placeCountry} as place_country,
      ${c.connectivity} as connectivity, ${c.devices} as n, ${c.rowSum} as row_sum, ${c.columnSum} as column_sum
    from ${countersIn(question)} ${countedDevice}
    where ${c.devices} > 0 and ${condition}`;
  return readCells(on, question, rows);
}

/**
 * The smallest cells in view that contain a device matching the condition: a statement that searches for such devices
 * reads no other cells.
 * @param condition as in `readCountedCells`
 */
export function cellsThatHold(range: GridRange, condition: SQL): SQL {
  return sql`select ${c.cellRow} as cell_row, ${c.cellColumn} as cell_column
    from ${countersIn({ range, level: 0 })} ${countedDevice}
    where ${c.devices} > 0 and ${condition}`;
}

/** Number of devices in view, without a filter. */
export async function countInView(on: Executor, question: CellQuestion): Promise<number> {
  const [found] = await on
    .select({ devices: sql<number>`coalesce(sum(${c.devices}), 0)::int` })
    .from(countersIn(question));
  return found?.devices ?? 0;
}

/** The facts that counters have of devices, under the names used in conditions. */
const countedDevice = sql`
  cross join lateral (select ${c.country} as ${sql.identifier(d.country.name)},
    ${c.model} as ${sql.identifier(d.model.name)}) ${d}
  cross join lateral (select ${c.connectivity} as ${sql.identifier(s.connectivity.name)}) ${s}`;

/** The counters `c` in view. */
function countersIn({ range, level }: Pick<CellQuestion, 'range' | 'level'>): SQL {
  const kept = keptLevelFor(level);
  const columns = range.columns.map(({ from, to }) =>
    between(c.cellColumn, from >> kept, to >> kept),
  );
  // Read row by row in every case: a range over rows or columns alone would read counters far from the view.
  return sql`generate_series(${range.fromRow >> kept}::int, ${range.toRow >> kept}::int) g
    cross join lateral (select * from ${placeCount} ${c}
      where ${c.level} = ${kept}::int and ${c.cellRow} = g and (${or(...columns)}) offset 0) ${c}`;
}

/** Counts cells from the devices themselves, for filters that the counters do not cover. */
export function readDeviceCells(
  on: Executor,
  question: CellQuestion,
  matches: Matches,
): Promise<LocationCell[]> {
  const { range, level } = question;
  const withStatus = sql`${fromL} join ${fromS} on ${s.deviceId} = ${l.deviceId}`;
  const joined =
    matches.kind === 'ids'
      ? sql`${withStatus} where ${l.deviceId} = any(${matches.ids})`
      : sql`${withStatus} join ${fromD} on ${d.id} = ${l.deviceId} where ${matches.where}`;
  return readCells(
    on,
    question,
    sql`select ${placedAt(level)}, 1 as n, ${l.cellRow} as row_sum, ${l.cellColumn} as column_sum
      from ${joined} and ${inRange(range, l)}`,
  );
}

/** The first columns that `readCells` needs, of a device at its location. */
export const placedAt = (level: number): SQL => sql`
  ${l.cellRow} >> ${level}::int as r, ${l.cellColumn} >> ${level}::int as q,
  coalesce(${l.country}, '') as place_country, ${s.connectivity} as connectivity`;

/** @param devices a statement that yields `r`, `q`, `place_country`, `connectivity`, `n`, `row_sum`, `column_sum` */
export async function readCells(
  on: Executor,
  { level, supportedCountries }: CellQuestion,
  devices: SQL,
): Promise<LocationCell[]> {
  const sums = states.map(
    (state) => sql`sum(n) filter (where connectivity = ${state})::int as ${sql.identifier(state)}`,
  );
  const totals = Object.fromEntries(
    states.map((state) => [state, sql<number>`coalesce(sum(p.${sql.identifier(state)}), 0)::int`]),
  ) as Record<Connectivity, SQL<number>>;
  const isOutside =
    supportedCountries.length === 0
      ? sql`false`
      : sql`p.place_country <> '' and p.place_country <> all(${sql.param([...supportedCountries])}::text[])`;
  const count = sql<number>`sum(p.n)::int`;
  const found = await on
    .select({
      row: sql<number>`p.r`,
      column: sql<number>`p.q`,
      count,
      latitude: sql<number>`(sum(p.row_sum) / sum(p.n) / 10 - 90)::float8`,
      longitude: sql<number>`(sum(p.column_sum) / sum(p.n) / 10 - 180)::float8`,
      outside: sql<number>`coalesce(sum(p.n) filter (where ${isOutside}), 0)::int`,
      country: sql<string | null>`nullif((array_agg(p.place_country order by p.n desc))[1], '')`,
      otherCountries: sql<number>`greatest(count(*) filter (where p.place_country <> '') - 1, 0)::int`,
      byConnectivity: totals,
    })
    .from(
      sql`(select r, q, place_country, sum(n) as n, sum(row_sum) as row_sum, sum(column_sum) as column_sum,
        ${sql.join(sums, sql`, `)} from (${devices}) x group by 1, 2, 3) p`,
    )
    .groupBy(sql`1, 2`)
    .orderBy(desc(count));
  return found.map(({ row, column, ...cell }) => ({
    ...cell,
    area: areaOfCell(row, column, level),
  }));
}
