import { sql } from 'drizzle-orm';
import type { ComponentSummary } from '@deviceportal/contract/versions';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { installedWithin } from './installed-within.ts';

interface ComponentRow extends Record<string, unknown>, ComponentSummary {}

/** Components that devices within scope report or that are on record, the widest spread first. */
export async function listComponents(
  deps: { readonly database: Database },
  viewer: Viewer,
): Promise<readonly ComponentSummary[]> {
  const found = await deps.database.orm.execute<ComponentRow>(sql`
    select component, sum(devices)::int as devices, count(*)::int as versions
    from (
      select component, version, sum(devices) as devices
      from (
        select v.component, v.version, count(*) as devices from ${installedWithin(viewer)} group by 1, 2
        union all select component, version, 0 from software_version) every_version
      group by 1, 2) i
    group by component order by 2 desc, 1 limit 1000`);
  return found.rows.map(({ component, devices, versions }) => ({ component, devices, versions }));
}
