import { sql } from 'drizzle-orm';
import type { SoftwareVersionState } from '@deviceportal/contract/states';
import type { InstalledVersion } from '@deviceportal/contract/versions';
import type { Database } from '../platform/database/database.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { installedWithin } from './installed-within.ts';

interface InstalledRow extends Record<string, unknown> {
  readonly component: string;
  readonly version: string;
  readonly devices: number;
  readonly share: number;
  readonly first_seen_at: string;
  readonly last_reported_at: string;
  readonly state: SoftwareVersionState | null;
  readonly approved_for: string[];
}

/** What runs where: each version of a component (or of all), how much of the fleet runs it, and where it is approved. */
export async function listInstalledVersions(
  deps: { readonly database: Database },
  viewer: Viewer,
  component: string | null,
): Promise<readonly InstalledVersion[]> {
  const wanted = component === null ? sql`true` : sql`v.component = ${component}`;
  const found = await deps.database.orm.execute<InstalledRow>(sql`
    select i.component, i.version, i.devices, i.devices::float8 / sum(i.devices) over (partition by i.component) as share,
      i.first_seen_at, i.last_reported_at, known.state,
      coalesce((select jsonb_agg(case when a.country = '*' then a.model else a.model || ' (' || a.country || ')' end
          order by a.model, a.country)
        from version_approval a where a.component = i.component and a.version = i.version), '[]') as approved_for
    from (
      select v.component, v.version, count(*)::int as devices, min(v.since) as first_seen_at,
        max(v.reported_at) as last_reported_at
      from ${installedWithin(viewer)} where ${wanted} group by 1, 2) i
    left join software_version known on known.component = i.component and known.version = i.version
    order by i.component, i.devices desc, i.version limit 5000`);
  return found.rows.map((row) => ({
    component: row.component,
    version: row.version,
    devices: row.devices,
    share: row.share,
    firstSeenAt: isoOf(row.first_seen_at),
    lastReportedAt: isoOf(row.last_reported_at),
    state: row.state,
    approvedFor: row.approved_for,
  }));
}
