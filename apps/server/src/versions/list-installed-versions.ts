import { scopesOf } from '@deviceportal/contract/permissions';
import type { InstalledVersion } from '@deviceportal/contract/versions';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { readInstalled } from './data/installed-queries.ts';

/** Each version of a component (or of all), its share of the fleet, and where it is approved. */
export async function listInstalledVersions(
  deps: { readonly database: Database },
  viewer: Viewer,
  component: string | null,
): Promise<readonly InstalledVersion[]> {
  const scopes = scopesOf(viewer.grants, ['versions:read']);
  const installed = await readInstalled(deps.database.orm, scopes, component);
  return installed.map((row) => ({
    ...row,
    firstSeenAt: row.firstSeenAt.toISOString(),
    lastReportedAt: row.lastReportedAt.toISOString(),
  }));
}
