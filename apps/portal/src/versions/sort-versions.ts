import type { InstalledVersion } from '@deviceportal/contract/versions';

export type VersionSort = 'version' | 'devices';

const byVersion = new Intl.Collator('en', { numeric: true });

/** Sorts versions numerically: 1.10 comes after 1.9. */
export function sortVersions(
  versions: readonly InstalledVersion[],
  sort: VersionSort,
  descending: boolean,
): InstalledVersion[] {
  const compare = (one: InstalledVersion, other: InstalledVersion): number =>
    (sort === 'devices' ? one.devices - other.devices : 0) ||
    byVersion.compare(one.version, other.version);
  return versions.toSorted((one, other) =>
    descending ? -compare(one, other) : compare(one, other),
  );
}
