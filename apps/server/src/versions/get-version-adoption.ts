import { scopesOf } from '@deviceportal/contract/permissions';
import type { VersionAdoption } from '@deviceportal/contract/versions';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { readAdoption } from './data/matrix-queries.ts';

/**
 * Adoption of versions by day, from stored daily records; today from current data. Labels are not stored: a scope
 * limited by labels has data for today only.
 */
export async function getVersionAdoption(
  deps: { readonly database: Database; readonly clock: () => Date },
  viewer: Viewer,
  input: { readonly component: string; readonly days: number },
): Promise<VersionAdoption> {
  const { component } = input;
  const today = deps.clock().toISOString().slice(0, 10);
  const found = await readAdoption(deps.database.orm, scopesOf(viewer.grants, ['versions:read']), {
    ...input,
    today,
  });
  const days = [...new Set([...found.map((row) => row.day), today])].toSorted();
  const ranks = new Map(found.map((row) => [row.version, row.rank]));
  const counts = new Map(found.map((row) => [`${row.day} ${row.version}`, row.devices]));
  const versions = [...ranks].toSorted(([, one], [, other]) => (one < other ? 1 : -1));
  return {
    component,
    days,
    series: versions.map(([version]) => ({
      version,
      devices: days.map((day) => counts.get(`${day} ${version}`) ?? 0),
    })),
  };
}
