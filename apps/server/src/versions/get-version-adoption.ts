import { sql } from 'drizzle-orm';
import { scopesOf } from '@deviceportal/contract/permissions';
import type { VersionAdoption } from '@deviceportal/contract/versions';
import { deviceScopeCondition } from '../devices/device-scope-condition.ts';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { cellsWithin } from './cells-within.ts';

interface DayRow extends Record<string, unknown> {
  readonly day: string;
  readonly version: string;
  readonly rank: string;
  readonly devices: number;
}

/**
 * How versions spread, day by day, from what was written down each day; today as it is now. Labels are not written
 * down: a scope limited by them sees today alone.
 */
export async function getVersionAdoption(
  deps: { readonly database: Database; readonly clock: () => Date },
  viewer: Viewer,
  input: { readonly component: string; readonly days: number },
): Promise<VersionAdoption> {
  const { component } = input;
  const today = deps.clock().toISOString().slice(0, 10);
  const scopes = scopesOf(viewer.grants, ['versions:read']).filter(
    ({ labels }) => Object.keys(labels).length === 0,
  );
  const found = await deps.database.orm.execute<DayRow>(sql`
    select day::text, version, version_rank(version) as rank, sum(devices)::int as devices
    from (
      select k.day, k.version, k.devices from version_adoption k
      where k.component = ${component} and k.day > ${today}::date - ${input.days}::int and k.day < ${today}::date
        and ${deviceScopeCondition(scopes, sql.raw('k'))}
      union all
      select ${today}::date, version, devices from (${cellsWithin(viewer, component)}) c) rows
    group by 1, 2 having sum(devices) > 0`);
  const days = [...new Set([...found.rows.map((row) => row.day), today])].toSorted();
  const ranks = new Map(found.rows.map((row) => [row.version, row.rank]));
  const counts = new Map(found.rows.map((row) => [`${row.day} ${row.version}`, row.devices]));
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
