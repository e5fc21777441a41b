import { sql } from 'drizzle-orm';
import { scopesOf } from '@deviceportal/contract/permissions';
import type { TavState } from '@deviceportal/contract/states';
import { deviceScopeCondition } from '../devices/device-scope-condition.ts';
import type { Database } from '../platform/database/database.ts';
import { isoOf, isoOrNull } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { nearestApproval } from './software-store.ts';

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

/** What devices run now, each component against what is approved for it. */
export async function listVersionsOfDevices(
  { database }: { readonly database: Database },
  viewer: Viewer,
  { deviceIds, limit }: Pick<Wanted, 'deviceIds' | 'limit'>,
): Promise<VersionOfDevice[]> {
  const approval = nearestApproval({
    component: sql`v.component`,
    model: sql`coalesce(d.model, '')`,
    country: sql`coalesce(d.country, '')`,
  });
  const { rows } = await database.orm.execute(sql`
    select v.device_id as "deviceId", v.component, v.version, v.since, c.state, a.version as approved,
      a.mandatory_from as "mandatoryFrom"
    from device d join device_version v on v.device_id = d.id
    left join version_cell c on c.component = v.component and c.version = v.version
      and c.model = coalesce(d.model, '') and c.country = coalesce(d.country, '')
    left join lateral (${approval}) a on true
    where d.id = any(${sql.param([...deviceIds])}::uuid[])
      and ${deviceScopeCondition(scopesOf(viewer.grants, ['versions:read']))}
    order by d.serial_rank, d.id, v.component limit ${limit}`);
  return (rows as unknown as VersionOfDevice[]).map((row) => ({
    ...row,
    since: isoOf(row.since),
    mandatoryFrom: isoOrNull(row.mandatoryFrom),
  }));
}

export interface VersionChangeOfDevice {
  readonly deviceId: string;
  readonly component: string;
  readonly version: string | null;
  readonly previous: string | null;
  readonly at: string;
}

/** How the software of devices changed in a period, newest first. */
export async function listVersionChangesOfDevices(
  { database }: { readonly database: Database },
  viewer: Viewer,
  { deviceIds, from, to, limit }: Wanted,
): Promise<VersionChangeOfDevice[]> {
  const { rows } = await database.orm.execute(sql`
    select * from (
      select h.device_id as "deviceId", h.component, h.version, h.at,
        lag(h.version) over (partition by h.device_id, h.component order by h.at, h.id) as previous
      from device d join device_version_history h on h.device_id = d.id
      where d.id = any(${sql.param([...deviceIds])}::uuid[]) and h.at <= ${to}::timestamptz
        and ${deviceScopeCondition(scopesOf(viewer.grants, ['versions:read']))}) changed
    where at >= ${from}::timestamptz order by at desc limit ${limit}`);
  return (rows as unknown as VersionChangeOfDevice[]).map((row) => ({ ...row, at: isoOf(row.at) }));
}
