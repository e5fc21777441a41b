import { sql } from 'drizzle-orm';
import type { TavState } from '@deviceportal/contract/states';
import type { VersionMatrix, VersionMatrixRow } from '@deviceportal/contract/versions';
import type { Database } from '../platform/database/database.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { cellsWithin } from './cells-within.ts';
import { nearestApproval } from './software-store.ts';

interface CellRow extends Record<string, unknown> {
  readonly model: string;
  readonly country: string | null;
  readonly approved: string | null;
  readonly approved_rank: string | null;
  readonly mandatory_from: string | null;
  readonly version: string;
  readonly rank: string;
  readonly state: TavState | null;
  readonly devices: number;
}

/** Approved against installed. Its cost grows with models, countries and versions, not with devices. */
export async function getVersionMatrix(
  deps: { readonly database: Database },
  viewer: Viewer,
  component: string,
): Promise<VersionMatrix> {
  const approval = nearestApproval({
    component: sql`${component}`,
    model: sql`c.model`,
    country: sql`c.country`,
  });
  const found = await deps.database.orm.execute<CellRow>(sql`
    with c as (
      select version, model, country, sum(devices)::int as devices
      from (${cellsWithin(viewer, component)}) k group by 1, 2, 3 having sum(devices) > 0)
    select c.model, nullif(a.country, '*') as country, a.version as approved, version_rank(a.version) as approved_rank,
      a.mandatory_from, c.version, version_rank(c.version) as rank, min(s.state) as state, sum(c.devices)::int as devices
    from c
    left join version_cell s on s.component = ${component} and s.version = c.version and s.model = c.model
      and s.country = c.country
    left join lateral (${approval}) a on true
    group by c.model, a.model, a.country, a.version, a.mandatory_from, c.version`);
  return toMatrix(component, found.rows);
}

function toMatrix(component: string, cells: readonly CellRow[]): VersionMatrix {
  const byRow = Map.groupBy(cells, (cell) =>
    JSON.stringify([cell.model, cell.country, cell.approved, cell.mandatory_from]),
  );
  const rows = [...byRow.values()].map((row) => toRow(row, cells));
  const ranks = new Map<string, string>();
  for (const cell of cells) {
    ranks.set(cell.version, cell.rank);
    if (cell.approved !== null) ranks.set(cell.approved, cell.approved_rank ?? '');
  }
  return {
    component,
    devices: sum(cells),
    versions: [...ranks].toSorted(newestFirst).map(([version]) => version),
    rows: rows.toSorted(byModelAndCountry),
  };
}

function toRow(cells: readonly CellRow[], all: readonly CellRow[]): VersionMatrixRow {
  const [first] = cells;
  if (first === undefined) throw new Error('a row has at least one cell');
  const total = sum(cells);
  const countries = all.flatMap((cell) =>
    cell.model === first.model && cell.country !== null && cell.country !== first.country
      ? [cell.country]
      : [],
  );
  return {
    model: first.model === '' ? null : first.model,
    country: first.country,
    otherCountries: first.country === null ? [...new Set(countries)].toSorted() : [],
    approved: first.approved,
    mandatoryFrom: first.mandatory_from === null ? null : isoOf(first.mandatory_from),
    devices: total,
    cells: cells.map(({ version, devices, state }) => ({
      version,
      devices,
      share: devices / total,
      state,
    })),
  };
}

const sum = (cells: readonly CellRow[]): number =>
  cells.reduce((total, cell) => total + cell.devices, 0);

function newestFirst(
  [version, rank]: [string, string],
  [otherVersion, otherRank]: [string, string],
): number {
  if (rank !== otherRank) return rank < otherRank ? 1 : -1;
  return version < otherVersion ? 1 : -1;
}

function byModelAndCountry(one: VersionMatrixRow, other: VersionMatrixRow): number {
  return knownFirst(one.model, other.model) || knownFirst(one.country, other.country);
}

function knownFirst(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one.localeCompare(other, 'en');
}
