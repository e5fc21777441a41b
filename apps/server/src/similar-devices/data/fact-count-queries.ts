import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { Scope } from '@deviceportal/contract/permissions';
import type { SimilarDeviceFactKind } from '@deviceportal/contract/similar-devices';
import { currentInstances } from '../../devices/data/current-instances.ts';
import { deviceConnections } from '../../devices/data/device-connections.ts';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import { installedPackages, packageMoments } from '../../packages/data/installed-packages.ts';
import type { Executor } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { installedVersions } from '../../versions/data/installed-versions.ts';
import type { FactCount } from '../rank-differences.ts';

export interface CohortMembers {
  readonly deviceId: string;
  readonly healthy: readonly string[];
  readonly faulty: readonly string[];
  /** The scopes in which the viewer may view installed packages. */
  readonly packageScopes: readonly Scope[];
}

const fill = (
  percent: SQLWrapper,
): SQL => sql`case when ${percent} < 60 then 'low' when ${percent} < 80 then 'middle'
  when ${percent} < 90 then 'high' else 'full' end`;

/** Every fact of every device: its part in the comparison, kind, name, value, and time of change. */
function factsOf(packageScopes: readonly Scope[]): SQL {
  const { hardwareRevision, country, timeZone } = deviceRecords;
  const { agentVersion, diskUsedPercent, memoryUsedPercent } = deviceConnections;
  return sql`
  select c.part, 'software' as kind, ${installedVersions.component} as name, ${installedVersions.version} as value,
      ${installedVersions.since} as since
    from cohort c join ${installedVersions} on ${installedVersions.deviceId} = c.device_id
  union all
  select c.part, 'package', ${installedPackages.name}, ${installedPackages.version},
      case when ${installedPackages.since} > r.first_at then ${installedPackages.since} end
    from cohort c join ${deviceRecords} on ${deviceRecords.deviceId} = c.device_id
      and ${deviceScopeCondition(packageScopes, deviceRecords)}
    join ${installedPackages} on ${installedPackages.deviceId} = c.device_id
    left join (${firstPackages}) r on r.device_id = c.device_id
  union all
  select c.part, 'platform', '', concat_ws(' ', ${currentInstances.platformName}, ${currentInstances.platformVersion}), null
    from cohort c join ${currentInstances} on ${currentInstances.deviceId} = c.device_id
  union all
  select c.part, f.kind, '', f.value, null
    from cohort c join ${deviceRecords} on ${deviceRecords.deviceId} = c.device_id
    join ${deviceConnections} on ${deviceConnections.deviceId} = c.device_id
    cross join lateral (values ('agent', ${agentVersion}), ('hardware', ${hardwareRevision}), ('country', ${country}),
      ('timeZone', ${timeZone}), ('disk', ${fill(diskUsedPercent)}), ('memory', ${fill(memoryUsedPercent)})) f(kind, value)
    where f.value is not null and (f.kind <> 'disk' or ${diskUsedPercent} is not null)
      and (f.kind <> 'memory' or ${memoryUsedPercent} is not null)
  union all
  select c.part, 'label', l.key, l.value, null
    from cohort c join ${deviceRecords} on ${deviceRecords.deviceId} = c.device_id
    cross join lateral jsonb_each_text(${deviceRecords.labels}) l`;
}

/** When the first package of the device was reported: packages reported then were not changed. */
const firstPackages = sql`select ${packageMoments.deviceId} as device_id, min(${packageMoments.since}) as first_at
  from ${packageMoments}
  where ${packageMoments.deviceId} = (select device_id from cohort where part = 'own')
  group by ${packageMoments.deviceId}`;

/**
 * Values of the device, and values that at least half of the healthy devices share; others do not concern the device.
 */
export async function countFacts(on: Executor, members: CohortMembers): Promise<FactCount[]> {
  const { deviceId, healthy, faulty, packageScopes } = members;
  const cohort = [
    { device_id: deviceId, part: 'own' },
    ...healthy.map((id) => ({ device_id: id, part: 'healthy' })),
    ...faulty.map((id) => ({ device_id: id, part: 'faulty' })),
  ];
  return on
    .select({
      kind: sql<SimilarDeviceFactKind>`kind`,
      name: sql<string>`name`,
      value: sql<string>`value`,
      healthy: sql<number>`healthy`,
      faulty: sql<number>`faulty`,
      anyHealthy: sql<number>`any_healthy`,
      anyFaulty: sql<number>`any_faulty`,
      own: sql<boolean>`own`,
      since: sql<Date | null>`since`.mapWith(installedVersions.since),
    })
    .from(
      sql`(
    with cohort as materialized (select * from ${rowsOf({ device_id: 'uuid', part: 'text' }, cohort)} c),
    facts as (${factsOf(packageScopes)}),
    counts as (
      select kind, name, value, count(*) filter (where part = 'healthy')::int as healthy,
        count(*) filter (where part = 'faulty')::int as faulty, bool_or(part = 'own') as own,
        max(since) filter (where part = 'own') as since
      from facts where value <> '' group by kind, name, value),
    whole as (
      select *, (sum(healthy) over fact)::int as any_healthy, (sum(faulty) over fact)::int as any_faulty
      from counts window fact as (partition by kind, name))
    select * from whole where own or healthy * 2 >= ${healthy.length}) whole`,
    );
}
