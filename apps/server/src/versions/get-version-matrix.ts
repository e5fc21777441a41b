import { scopesOf } from '@deviceportal/contract/permissions';
import type { VersionMatrix, VersionMatrixRow } from '@deviceportal/contract/versions';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { readMatrix } from './data/matrix-queries.ts';

type CellRow = Awaited<ReturnType<typeof readMatrix>>[number];

/**
 * Approved versions compared with installed ones. The cost grows with models, countries, and versions, not with
 * devices.
 */
export async function getVersionMatrix(
  deps: { readonly database: Database },
  viewer: Viewer,
  component: string,
): Promise<VersionMatrix> {
  const scopes = scopesOf(viewer.grants, ['versions:read']);
  return toMatrix(component, await readMatrix(deps.database.orm, scopes, component));
}

function toMatrix(component: string, cells: readonly CellRow[]): VersionMatrix {
  const byRow = Map.groupBy(cells, (cell) =>
    JSON.stringify([cell.model, cell.country, cell.approved, cell.mandatoryFrom]),
  );
  const rows = [...byRow.values()].map((row) => toRow(row, cells));
  const ranks = new Map<string, string>();
  for (const cell of cells) {
    ranks.set(cell.version, cell.rank);
    if (cell.approved !== null) ranks.set(cell.approved, cell.approvedRank ?? '');
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
    mandatoryFrom: first.mandatoryFrom?.toISOString() ?? null,
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
