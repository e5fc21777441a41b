import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type {
  DevicePackages,
  listDevicePackagesInput,
  listPackageChangesInput,
  PackageChange,
} from '@deviceportal/contract/packages';
import type { Page } from '@deviceportal/contract/pages';
import { findDevice } from '../devices/find-device.ts';
import { likeLiteral } from '../devices/search/device-predicate.ts';
import type { Database } from '../platform/database/database.ts';
import { decodeCursor, encodeCursor } from '../platform/keyset-cursor.ts';
import { isoOf, isoOrNull } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';

export interface PackagesDeps {
  readonly database: Database;
}

interface PackageRow extends Record<string, unknown> {
  readonly name: string;
  readonly version: string;
  readonly since: string;
}

/** What the package manager of a device has installed, by name. */
export async function listDevicePackages(
  { database }: PackagesDeps,
  viewer: Viewer,
  input: z.infer<typeof listDevicePackagesInput>,
): Promise<DevicePackages> {
  const id = await deviceOf(database, viewer, input.deviceId);
  const [afterName, afterVersion] = decodeCursor(input.cursor, 2);
  const matching = sql`
    from device_package p join package_version v on v.id = p.version_id
    where p.device_id = ${id} and lower(v.name) like ${`%${likeLiteral(input.text.toLowerCase())}%`}`;
  const beyond =
    afterName === undefined
      ? sql`true`
      : sql`(v.name collate "C", v.version collate "C") > (${afterName}, ${afterVersion ?? ''})`;
  const [rows, counts] = await Promise.all([
    database.orm.execute<PackageRow>(sql`
      select v.name, v.version, p.since ${matching} and ${beyond}
      order by v.name collate "C", v.version collate "C" limit ${input.pageSize + 1}`),
    database.orm.execute<{ count: number; at: string | null }>(sql`
      select (select count(*)::int ${matching}) as count,
        (select at from device_package_report where device_id = ${id}) as at`),
  ]);
  const page = rows.rows.slice(0, input.pageSize);
  const last = page.at(-1);
  const hasMore = rows.rows.length > page.length && last !== undefined;
  return {
    rows: page.map(({ name, version, since }) => ({ name, version, since: isoOf(since) })),
    nextCursor: hasMore ? encodeCursor([last.name, last.version]) : null,
    count: counts.rows[0]?.count ?? 0,
    reportedAt: isoOrNull(counts.rows[0]?.at ?? null),
  };
}

interface ChangeRow extends Record<string, unknown> {
  readonly id: string;
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly at: string;
}

/** What was installed, replaced and removed on a device, newest first; its first list is no change. */
export async function listPackageChanges(
  { database }: PackagesDeps,
  viewer: Viewer,
  input: z.infer<typeof listPackageChangesInput>,
): Promise<Page<PackageChange>> {
  const id = await deviceOf(database, viewer, input.deviceId);
  const [beforeId] = decodeCursor(input.cursor, 1);
  const beyond = /^\d{1,18}$/.test(beforeId ?? '') ? sql`id < ${beforeId}::bigint` : sql`true`;
  const found = await database.orm.execute<ChangeRow>(sql`
    select id::text, name, before, after, at from device_package_history
    where device_id = ${id} and ${beyond} order by device_package_history.id desc limit ${input.pageSize + 1}`);
  const page = found.rows.slice(0, input.pageSize);
  const last = page.at(-1);
  const hasMore = found.rows.length > page.length && last !== undefined;
  return {
    rows: page.map((row) => ({ ...row, at: isoOf(row.at) })),
    nextCursor: hasMore ? encodeCursor([last.id]) : null,
  };
}

const deviceOf = (database: Database, viewer: Viewer, reference: string): Promise<string> =>
  findDevice(database.orm, viewer, { reference, permissions: ['versions:read'] });
