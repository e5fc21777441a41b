import { randomUUID } from 'node:crypto';
import type { JournalDraft } from '@deviceportal/device-protocol/journal';
import type { InstalledPackage } from '../machine/machine.ts';

type Piece = Extract<JournalDraft, { kind: 'packages' }>;

/** Number of packages that fit into one message even with maximum name and version lengths. */
const PACKAGES_PER_PIECE = 400;
/** Maximum number of packages in a list. */
const MAX_PACKAGES = 20_000;

/**
 * Splits a list of installed packages for the journal: sorted by name, with all entries of a name
 * in the same part.
 */
export function cutPackageList(
  packages: readonly InstalledPackage[],
  report: string = randomUUID(),
): Piece[] {
  const sorted = packages.toSorted(byName).slice(0, MAX_PACKAGES);
  const pieces: InstalledPackage[][] = [[]];
  for (const each of sorted) {
    const piece = pieces.at(-1);
    const isFull = piece !== undefined && piece.length >= PACKAGES_PER_PIECE;
    if (piece === undefined || (isFull && piece.at(-1)?.name !== each.name)) pieces.push([each]);
    else piece.push(each);
  }
  const ends = pieces.map((piece, at) =>
    at === pieces.length - 1 ? null : (piece.at(-1)?.name ?? null),
  );
  return pieces.map((piece, at) => ({
    kind: 'packages',
    report,
    after: ends[at - 1] ?? null,
    upTo: ends[at] ?? null,
    packages: piece,
  }));
}

/** By code unit, independent of locale, as on the server. */
function byName(one: InstalledPackage, other: InstalledPackage): number {
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  return one.version < other.version ? -1 : Number(one.version > other.version);
}
