import { and, count, desc, eq, like, lt, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { likeLiteral } from '../../platform/database/like-literal.ts';
import {
  devicePackage,
  devicePackageHistory,
  devicePackageReport,
  packageVersion,
} from './packages-tables.ts';

export interface InstalledQuery {
  readonly deviceId: string;
  readonly text: string;
}

const isInstalled = ({ deviceId, text }: InstalledQuery) =>
  and(
    eq(devicePackage.deviceId, deviceId),
    like(sql`lower(${packageVersion.name})`, `%${likeLiteral(text.toLowerCase())}%`),
  );

const name = sql`${packageVersion.name} collate "C"`;
const version = sql`${packageVersion.version} collate "C"`;

/** By name and version. */
export async function listInstalled(
  on: Executor,
  query: InstalledQuery & {
    readonly after: { readonly name: string; readonly version: string } | null;
    readonly limit: number;
  },
) {
  const { after } = query;
  return on
    .select({
      name: packageVersion.name,
      version: packageVersion.version,
      since: devicePackage.since,
    })
    .from(devicePackage)
    .innerJoin(packageVersion, eq(packageVersion.id, devicePackage.versionId))
    .where(
      and(
        isInstalled(query),
        after === null ? undefined : sql`(${name}, ${version}) > (${after.name}, ${after.version})`,
      ),
    )
    .orderBy(name, version)
    .limit(query.limit);
}

export async function countInstalled(on: Executor, query: InstalledQuery): Promise<number> {
  const [found] = await on
    .select({ count: count() })
    .from(devicePackage)
    .innerJoin(packageVersion, eq(packageVersion.id, devicePackage.versionId))
    .where(isInstalled(query));
  return found?.count ?? 0;
}

/** Time of the device's latest report of installed packages. */
export async function findReportedAt(on: Executor, deviceId: string): Promise<Date | null> {
  const [found] = await on
    .select({ at: devicePackageReport.at })
    .from(devicePackageReport)
    .where(eq(devicePackageReport.deviceId, deviceId));
  return found?.at ?? null;
}

/** Newest first. */
export async function listChanges(
  on: Executor,
  query: {
    readonly deviceId: string;
    /** Changes with smaller numbers. */
    readonly before: string | null;
    readonly limit: number;
  },
) {
  return on
    .select({
      id: sql<string>`${devicePackageHistory.id}::text`,
      name: devicePackageHistory.name,
      before: devicePackageHistory.before,
      after: devicePackageHistory.after,
      at: devicePackageHistory.at,
    })
    .from(devicePackageHistory)
    .where(
      and(
        eq(devicePackageHistory.deviceId, query.deviceId),
        query.before === null
          ? undefined
          : lt(devicePackageHistory.id, sql`${query.before}::bigint`),
      ),
    )
    .orderBy(desc(devicePackageHistory.id))
    .limit(query.limit);
}
