import { sql, type SQL } from 'drizzle-orm';
import type { LocationCell } from '@deviceportal/contract/locations';
import {
  connectivity as connectivityStates,
  type Connectivity,
} from '@deviceportal/contract/states';
import type { Executor } from '../platform/database/database.ts';
import { areaOfCell, keptLevelFor, type GridRange } from './map-grid.ts';

const states = Object.keys(connectivityStates) as Connectivity[];

interface CellRow extends Record<string, unknown> {
  readonly cell_row: number;
  readonly cell_column: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly country: string | null;
  readonly other_countries: number;
  readonly count: number;
  readonly outside: number;
}

export interface CellQuestion {
  readonly range: GridRange;
  /** Cells of 2^level units. */
  readonly level: number;
  /** ISO 3166-1 alpha-2; none: every country is. */
  readonly supportedCountries: readonly string[];
}

/**
 * Cells from the counters.
 *
 * @param condition over `d` (country, model) and `s` (connectivity), all that the counters know of a device
 */
export function readCountedCells(
  on: Executor,
  question: CellQuestion,
  condition: SQL,
): Promise<LocationCell[]> {
  const shift = question.level - keptLevelFor(question.level);
  const rows = sql`
    select c.cell_row >> ${shift}::int as r, c.cell_column >> ${shift}::int as q, c.place_country, s.connectivity,
      c.devices as n, c.row_sum, c.column_sum
    from ${countersIn(question)}
    cross join lateral (select c.country, c.model) d cross join lateral (select c.connectivity) s
    where c.devices > 0 and ${condition}`;
  return readCells(on, question, rows);
}

/**
 * The smallest cells in view that hold a device which the condition means: whoever looks for such devices one by one
 * looks at no other place.
 *
 * @param condition as of `readCountedCells`
 */
export function cellsThatHold(range: GridRange, condition: SQL): SQL {
  return sql`select c.cell_row, c.cell_column from ${countersIn({ range, level: 0 })}
    cross join lateral (select c.country, c.model) d cross join lateral (select c.connectivity) s
    where c.devices > 0 and ${condition}`;
}

/** How many devices are in view, whichever they are. */
export async function countInView(on: Executor, question: CellQuestion): Promise<number> {
  const found = await on.execute<{ n: number }>(
    sql`select coalesce(sum(c.devices), 0)::int as n from ${countersIn(question)}`,
  );
  return found.rows[0]?.n ?? 0;
}

/** The counters `c` of what is in view. */
function countersIn({ range, level }: Pick<CellQuestion, 'range' | 'level'>): SQL {
  const kept = keptLevelFor(level);
  const columns = range.columns.map(
    ({ from, to }) => sql`c.cell_column between ${from >> kept}::int and ${to >> kept}::int`,
  );
  // Entered row by row, whatever else is asked: a range over rows or columns alone reads what is far from the view.
  return sql`generate_series(${range.fromRow >> kept}::int, ${range.toRow >> kept}::int) g
    cross join lateral (select * from place_count c
      where c.level = ${kept}::int and c.cell_row = g and (${sql.join(columns, sql` or `)}) offset 0) c`;
}

/**
 * Cells counted from the devices themselves.
 *
 * @param devices a statement that yields `r`, `q`, `place_country`, `connectivity`, `n`, `row_sum`, `column_sum`
 */
export async function readCells(
  on: Executor,
  { level, supportedCountries }: CellQuestion,
  devices: SQL,
): Promise<LocationCell[]> {
  const sums = states.map(
    (state) => sql`sum(n) filter (where connectivity = ${state})::int as ${sql.identifier(state)}`,
  );
  const totals = states.map(
    (state) => sql`coalesce(sum(${sql.identifier(state)}), 0)::int as ${sql.identifier(state)}`,
  );
  const isOutside =
    supportedCountries.length === 0
      ? sql`false`
      : sql`place_country <> '' and place_country <> all(${sql.param([...supportedCountries])}::text[])`;
  const found = await on.execute<CellRow & Record<Connectivity, number>>(sql`
    with p as (
      select r, q, place_country, sum(n) as n, sum(row_sum) as row_sum, sum(column_sum) as column_sum,
        ${sql.join(sums, sql`, `)}
      from (${devices}) x group by 1, 2, 3)
    select r as cell_row, q as cell_column, sum(n)::int as count,
      (sum(row_sum) / sum(n) / 10 - 90)::float8 as latitude, (sum(column_sum) / sum(n) / 10 - 180)::float8 as longitude,
      coalesce(sum(n) filter (where ${isOutside}), 0)::int as outside,
      nullif((array_agg(place_country order by n desc))[1], '') as country,
      greatest(count(*) filter (where place_country <> '') - 1, 0)::int as other_countries, ${sql.join(totals, sql`, `)}
    from p group by 1, 2 order by count desc`);
  return found.rows.map((row) => toCell(row, level));
}

function toCell(row: CellRow & Record<Connectivity, number>, level: number): LocationCell {
  return {
    latitude: row.latitude,
    longitude: row.longitude,
    count: row.count,
    byConnectivity: Object.fromEntries(states.map((state) => [state, row[state]])) as Record<
      Connectivity,
      number
    >,
    outside: row.outside,
    country: row.country,
    otherCountries: row.other_countries,
    area: areaOfCell(row.cell_row, row.cell_column, level),
  };
}
