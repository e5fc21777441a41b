import { and, desc, eq, gt, like, sql } from 'drizzle-orm';
import type { Scope } from '@deviceportal/contract/permissions';
import { isCounted } from '../../devices/data/is-counted.ts';
import type { Executor } from '../../platform/database/database.ts';
import { likeLiteral } from '../../platform/database/like-literal.ts';
import { devicePackage, packageVersion } from './packages-tables.ts';

const LISTED_VERSIONS = 1_000;

export interface PackageSearch {
  readonly scopes: readonly Scope[];
  readonly text: string;
  /** Names after this one. */
  readonly after: string | undefined;
  readonly limit: number;
}

/**
 * Packages by name, with the number of their devices. Names are searched among all existing versions; devices are
 * counted for one page of them.
 */
export async function findPackages(on: Executor, { scopes, text, after, limit }: PackageSearch) {
  const name = sql<string>`${packageVersion.name} collate "C"`;
  const named = on
    .selectDistinct({ name: name.as('package_name') })
    .from(packageVersion)
    .where(
      and(
        like(sql`lower(${packageVersion.name})`, `%${likeLiteral(text.toLowerCase())}%`),
        after === undefined ? undefined : gt(name, after),
      ),
    )
    .as('named');
  const installed = on
    .select({
      versions: sql<number>`count(distinct ${packageVersion.id})::int`.as('versions'),
      devices: sql<number>`count(distinct ${devicePackage.deviceId})::int`.as('devices'),
    })
    .from(packageVersion)
    .innerJoin(devicePackage, eq(devicePackage.versionId, packageVersion.id))
    .where(and(eq(packageVersion.name, named.name), isCounted(scopes, devicePackage.deviceId)))
    .as('installed');
  return on
    .select({ name: named.name, versions: installed.versions, devices: installed.devices })
    .from(named)
    .crossJoinLateral(installed)
    .where(gt(installed.devices, 0))
    .orderBy(sql`${named.name} collate "C"`)
    .limit(limit);
}

/** Newest first, as package managers order them. */
export async function findPackageVersions(on: Executor, scopes: readonly Scope[], name: string) {
  return on
    .select({ version: packageVersion.version, devices: sql<number>`count(*)::int` })
    .from(packageVersion)
    .innerJoin(devicePackage, eq(devicePackage.versionId, packageVersion.id))
    .where(and(eq(packageVersion.name, name), isCounted(scopes, devicePackage.deviceId)))
    .groupBy(packageVersion.version, packageVersion.rank)
    .orderBy(sql`${packageVersion.rank} collate "C" desc`, desc(packageVersion.version))
    .limit(LISTED_VERSIONS);
}
