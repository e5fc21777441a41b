import { sql, type SQL } from 'drizzle-orm';
import type { TwinFactKind } from '@deviceportal/contract/twins';
import type { Executor } from '../platform/database/database.ts';
import { rowsOf } from '../platform/database/rows-of.ts';
import type { FactCount } from './rank-differences.ts';

export interface CohortMembers {
  readonly deviceId: string;
  readonly healthy: readonly string[];
  readonly troubled: readonly string[];
  readonly showsPackages: SQL;
}

interface CountRow extends Record<string, unknown> {
  readonly kind: TwinFactKind;
  readonly name: string;
  readonly value: string;
  readonly healthy: number;
  readonly troubled: number;
  readonly any_healthy: number;
  readonly any_troubled: number;
  readonly own: boolean;
  readonly since: string | null;
}

const fill = (
  percent: SQL,
): SQL => sql`case when ${percent} < 60 then 'low' when ${percent} < 80 then 'middle'
  when ${percent} < 90 then 'high' else 'full' end`;

/**
 * Every fact of every member: device, part in the comparison, kind, name, value, since when.
 *
 * @param showsPackages over `d`: of which devices the viewer may know what is installed
 */
const factsOf = (showsPackages: SQL): SQL => sql`
  select c.part, 'software' as kind, v.component as name, v.version as value, v.since
    from cohort c join device_version v on v.device_id = c.device_id
  union all
  select c.part, 'package', p.name, p.version, case when i.since > r.first_at then i.since end
    from cohort c join device d on d.id = c.device_id and ${showsPackages}
    join device_package i on i.device_id = c.device_id join package_version p on p.id = i.version_id
    left join (select device_id, min(since) as first_at from device_package
      where device_id = (select device_id from cohort where part = 'own') group by device_id) r on r.device_id = c.device_id
  union all
  select c.part, 'platform', '', concat_ws(' ', n.platform_name, n.platform_version), null
    from cohort c join device_instance n on n.device_id = c.device_id and n.state = 'current'
  union all
  select c.part, f.kind, '', f.value, null
    from cohort c join device d on d.id = c.device_id join device_status s on s.device_id = c.device_id
    cross join lateral (values ('agent', s.agent_version), ('hardware', d.hardware_revision), ('country', d.country),
      ('timeZone', d.time_zone), ('disk', ${fill(sql`s.disk_used_percent`)}),
      ('memory', ${fill(sql`s.memory_used_percent`)})) f(kind, value)
    where f.value is not null and (f.kind <> 'disk' or s.disk_used_percent is not null)
      and (f.kind <> 'memory' or s.memory_used_percent is not null)
  union all
  select c.part, 'label', l.key, l.value, null
    from cohort c join device_label l on l.device_id = c.device_id`;

/** What the device has, and what at least half of the healthy ones have; the rest says nothing about the device. */
export async function countFacts(on: Executor, members: CohortMembers): Promise<FactCount[]> {
  const { deviceId, healthy, troubled, showsPackages } = members;
  const cohort = [
    { device_id: deviceId, part: 'own' },
    ...healthy.map((id) => ({ device_id: id, part: 'healthy' })),
    ...troubled.map((id) => ({ device_id: id, part: 'troubled' })),
  ];
  const { rows } = await on.execute<CountRow>(sql`
    with cohort as materialized (select * from ${rowsOf({ device_id: 'uuid', part: 'text' }, cohort)} c),
    facts as (${factsOf(showsPackages)}),
    counts as (
      select kind, name, value, count(*) filter (where part = 'healthy')::int as healthy,
        count(*) filter (where part = 'troubled')::int as troubled, bool_or(part = 'own') as own,
        max(since) filter (where part = 'own') as since
      from facts where value <> '' group by kind, name, value),
    whole as (
      select *, (sum(healthy) over fact)::int as any_healthy, (sum(troubled) over fact)::int as any_troubled
      from counts window fact as (partition by kind, name))
    select * from whole where own or healthy * 2 >= ${healthy.length}`);
  return rows.map(({ any_healthy: anyHealthy, any_troubled: anyTroubled, since, ...row }) => ({
    ...row,
    anyHealthy,
    anyTroubled,
    since: since === null ? null : new Date(since),
  }));
}
