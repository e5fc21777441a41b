import { sql, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import type {
  PackageSummary,
  PackageVersionSpread,
  searchPackagesInput,
} from '@deviceportal/contract/packages';
import type { Page } from '@deviceportal/contract/pages';
import { scopesOf } from '@deviceportal/contract/permissions';
import { deviceScopeCondition, isEverywhere } from '../devices/device-scope-condition.ts';
import { likeLiteral } from '../devices/search/device-predicate.ts';
import { decodeCursor, encodeCursor } from '../platform/keyset-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { PackagesDeps } from './list-device-packages.ts';

interface SummaryRow extends Record<string, unknown>, PackageSummary {}

/**
 * Packages that devices within scope have, by name. Names are found among the versions that exist anywhere; devices are
 * counted for one page of them.
 */
export async function searchPackages(
  { database }: PackagesDeps,
  viewer: Viewer,
  input: z.infer<typeof searchPackagesInput>,
): Promise<Page<PackageSummary>> {
  const [after] = decodeCursor(input.cursor, 1);
  const beyond = after === undefined ? sql`true` : sql`v.name collate "C" > ${after}`;
  const found = await database.orm.execute<SummaryRow>(sql`
    select n.name, i.versions, i.devices
    from (select distinct v.name collate "C" as name from package_version v
      where lower(v.name) like ${`%${likeLiteral(input.text.toLowerCase())}%`} and ${beyond}) n
    cross join lateral (
      select count(distinct v.id)::int as versions, count(distinct p.device_id)::int as devices
      from package_version v join device_package p on p.version_id = v.id
      where v.name = n.name and ${isCounted(viewer)}) i
    where i.devices > 0
    order by n.name collate "C" limit ${input.pageSize + 1}`);
  const rows = found.rows.slice(0, input.pageSize);
  const last = rows.at(-1);
  const hasMore = found.rows.length > rows.length && last !== undefined;
  return { rows, nextCursor: hasMore ? encodeCursor([last.name]) : null };
}

interface SpreadRow extends Record<string, unknown>, PackageVersionSpread {}

const LISTED_VERSIONS = 1_000;

/** Which versions of a package devices within scope have, the newest first, as package managers order them. */
export async function listPackageVersions(
  { database }: PackagesDeps,
  viewer: Viewer,
  name: string,
): Promise<readonly PackageVersionSpread[]> {
  const found = await database.orm.execute<SpreadRow>(sql`
    select v.version, count(*)::int as devices
    from package_version v join device_package p on p.version_id = v.id
    where v.name = ${name} and ${isCounted(viewer)}
    group by v.version, v.rank order by v.rank collate "C" desc, v.version desc limit ${LISTED_VERSIONS}`);
  return found.rows;
}

/**
 * Retired devices are not counted. They are few and looked up once: whoever sees the whole fleet needs none of the
 * others looked at.
 */
function isCounted(viewer: Viewer): SQL {
  const scopes = scopesOf(viewer.grants, ['versions:read']);
  const retired = sql`p.device_id not in (select r.id from device r where r.lifecycle = 'retired')`;
  if (scopes.some(isEverywhere)) return retired;
  return sql`${retired} and exists (
    select from device d where d.id = p.device_id and ${deviceScopeCondition(scopes)})`;
}
