import type { TavState } from '@deviceportal/contract/states';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { readVersionChangesOfDevices } from './data/version-change-queries.ts';
import { readVersionsOfDevices } from './data/versions-against-approvals.ts';

interface Wanted {
  readonly deviceIds: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly limit: number;
}

export interface VersionOfDevice {
  readonly deviceId: string;
  readonly component: string;
  readonly version: string;
  readonly since: string;
  readonly approved: string | null;
  readonly mandatoryFrom: string | null;
  readonly state: TavState | null;
}

/** Current versions of devices, each compared with its approved version. */
export async function listVersionsOfDevices(
  { database }: { readonly database: Database },
  viewer: Viewer,
  wanted: Pick<Wanted, 'deviceIds' | 'limit'>,
): Promise<VersionOfDevice[]> {
  const rows = await readVersionsOfDevices(database.orm, viewer, wanted);
  return rows.map((row) => ({
    ...row,
    since: row.since.toISOString(),
    mandatoryFrom: row.mandatoryFrom?.toISOString() ?? null,
  }));
}

export interface VersionChangeOfDevice {
  readonly deviceId: string;
  readonly component: string;
  readonly version: string | null;
  readonly previous: string | null;
  readonly at: string;
}

/** Software changes of devices in a time range, newest first. */
export async function listVersionChangesOfDevices(
  { database }: { readonly database: Database },
  viewer: Viewer,
  wanted: Wanted,
): Promise<VersionChangeOfDevice[]> {
  const rows = await readVersionChangesOfDevices(database.orm, viewer, {
    ...wanted,
    from: new Date(wanted.from),
    to: new Date(wanted.to),
  });
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
