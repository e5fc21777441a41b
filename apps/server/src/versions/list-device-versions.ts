import { sql } from 'drizzle-orm';
import type { VersionChange } from '@deviceportal/contract/versions';
import { findDevice } from '../devices/find-device.ts';
import type { Database } from '../platform/database/database.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';

const LISTED_CHANGES = 1_000;

interface ChangeRow extends Record<string, unknown> {
  readonly component: string;
  readonly version: string | null;
  readonly previous: string | null;
  readonly at: string;
}

/** How the software of a device changed, newest first. */
export async function listDeviceVersions(
  deps: { readonly database: Database },
  viewer: Viewer,
  deviceId: string,
): Promise<readonly VersionChange[]> {
  const id = await findDevice(deps.database.orm, viewer, {
    reference: deviceId,
    permissions: ['versions:read'],
  });
  const found = await deps.database.orm.execute<ChangeRow>(sql`
    select component, version, lag(version) over (partition by component order by at, id) as previous, at
    from device_version_history where device_id = ${id}
    order by at desc, id desc limit ${LISTED_CHANGES}`);
  return found.rows.map((row) => ({
    component: row.component,
    version: row.version,
    previousVersion: row.previous,
    at: isoOf(row.at),
  }));
}
