import type { Transaction } from '../platform/database/database.ts';
import { nameVersions, recordReports, replacePieces } from './data/package-report-queries.ts';
import { packageVersionRank } from './package-version-rank.ts';
import type { PackagesRow, PackageDifference } from './packages-row.ts';

/**
 * Applies parts of the lists of many devices, with a constant number of statements for the first part of each, for
 * the second, and so on.
 */
export async function applyPackages(
  tx: Transaction,
  rows: readonly PackagesRow[],
): Promise<PackageDifference[]> {
  const differences: PackageDifference[] = [];
  const byDevice = [...Map.groupBy(rows, ({ deviceId }) => deviceId).values()];
  const turns = Math.max(0, ...byDevice.map((pieces) => pieces.length));
  for (let turn = 0; turn < turns; turn += 1) {
    const pieces = byDevice.flatMap((all) => all[turn] ?? []);
    await nameVersions(tx, versionsOf(pieces));
    await recordReports(tx, pieces);
    differences.push(...(await replacePieces(tx, pieces)));
  }
  return differences;
}

const versionsOf = (pieces: readonly PackagesRow[]) => [
  ...new Map(
    pieces.flatMap(({ packages }) =>
      packages.map(
        ({ name, version }) =>
          [`${name}:${version}`, { name, version, rank: packageVersionRank(version) }] as const,
      ),
    ),
  ).values(),
];
