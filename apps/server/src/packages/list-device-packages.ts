import type { z } from 'zod';
import type {
  DevicePackages,
  listDevicePackagesInput,
  listPackageChangesInput,
  PackageChange,
} from '@deviceportal/contract/packages';
import type { Page } from '@deviceportal/contract/pages';
import { findDevice } from '../devices/find-device.ts';
import type { Database } from '../platform/database/database.ts';
import { decodeCursor, encodeCursor } from '../platform/keyset-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import {
  countInstalled,
  findReportedAt,
  listChanges,
  listInstalled,
} from './data/device-package-queries.ts';

export interface PackagesDeps {
  readonly database: Database;
}

/** The packages that the package manager of a device has installed, by name. */
export async function listDevicePackages(
  { database }: PackagesDeps,
  viewer: Viewer,
  input: z.infer<typeof listDevicePackagesInput>,
): Promise<DevicePackages> {
  const deviceId = await deviceOf(database, viewer, input.deviceId);
  const [name, version = ''] = decodeCursor(input.cursor, 2);
  const query = { deviceId, text: input.text };
  const [found, count, reportedAt] = await Promise.all([
    listInstalled(database.orm, {
      ...query,
      after: name === undefined ? null : { name, version },
      limit: input.pageSize + 1,
    }),
    countInstalled(database.orm, query),
    findReportedAt(database.orm, deviceId),
  ]);
  const page = found.slice(0, input.pageSize);
  const last = page.at(-1);
  const hasMore = found.length > page.length && last !== undefined;
  return {
    rows: page.map((row) => ({ ...row, since: row.since.toISOString() })),
    nextCursor: hasMore ? encodeCursor([last.name, last.version]) : null,
    count,
    reportedAt: reportedAt?.toISOString() ?? null,
  };
}

/** Packages installed, replaced, and removed on a device, newest first; its first list contains no changes. */
export async function listPackageChanges(
  { database }: PackagesDeps,
  viewer: Viewer,
  input: z.infer<typeof listPackageChangesInput>,
): Promise<Page<PackageChange>> {
  const deviceId = await deviceOf(database, viewer, input.deviceId);
  const [before = ''] = decodeCursor(input.cursor, 1);
  const found = await listChanges(database.orm, {
    deviceId,
    before: /^\d{1,18}$/.test(before) ? before : null,
    limit: input.pageSize + 1,
  });
  const page = found.slice(0, input.pageSize);
  const last = page.at(-1);
  const hasMore = found.length > page.length && last !== undefined;
  return {
    rows: page.map((row) => ({ ...row, at: row.at.toISOString() })),
    nextCursor: hasMore ? encodeCursor([last.id]) : null,
  };
}

const deviceOf = (database: Database, viewer: Viewer, reference: string): Promise<string> =>
  findDevice(database.orm, viewer, { reference, permissions: ['versions:read'] });
