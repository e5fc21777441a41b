import { sql, type SQL } from 'drizzle-orm';
import type {
  CommandTarget,
  ExclusionReason,
  TargetPreview,
} from '@deviceportal/contract/commands';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../devices/device-scope-condition.ts';
import type { Executor } from '../platform/database/database.ts';

/** Whom a target means and who of them may be reached. */
export interface TargetQuery {
  readonly target: CommandTarget;
  /** What the target's filter says, over `d` and `s`. */
  readonly matches: SQL;
  /** What lies outside does not exist for the viewer. */
  readonly readScopes: readonly Scope[];
  /** What lies outside is seen and not run on. */
  readonly runScopes: readonly Scope[];
  readonly needsSerialNumber: boolean;
}

/** One device of a target: reached, or left out for a reason. */
export interface TargetDevice {
  readonly deviceId: string;
  readonly name: string;
  readonly serialNumber: string | null;
  readonly instanceId: string | null;
  readonly exclusion: ExclusionReason | null;
}

function candidates(query: TargetQuery): SQL {
  const needed = query.needsSerialNumber ? sql`d.serial_number is null` : sql`false`;
  return sql`
    select d.id as "deviceId", d.name, d.serial_number as "serialNumber", i.id as "instanceId", s.connectivity,
           case when not ${deviceScopeCondition(query.runScopes)} then 'not-permitted'
                when d.lifecycle in ('suspended', 'retired') then d.lifecycle
                when i.id is null then 'no-instance'
                when ${needed} then 'no-serial-number' end as exclusion
    from ${fromTarget(query.target)}
    left join device_status s on s.device_id = d.id
    left join device_instance i on i.device_id = d.id and i.state = 'current'
    where (${query.matches})
      and ${deviceScopeCondition(query.readScopes)}`;
}

function fromTarget(target: CommandTarget): SQL {
  if (target.kind === 'filter') return sql`device d`;
  const ids = sql.param([...new Set(target.deviceIds)]);
  return sql`unnest(${ids}::uuid[]) as wanted(id) join device d on d.id = wanted.id`;
}

/** Every device of the target within the viewer's sight, in the order of their ids. */
export async function selectTargetDevices(
  executor: Executor,
  query: TargetQuery,
): Promise<TargetDevice[]> {
  const { rows } = await executor.execute(
    sql`select "deviceId", name, "serialNumber", "instanceId", exclusion
        from (${candidates(query)}) candidate order by "deviceId"`,
  );
  return rows as unknown as TargetDevice[];
}

/** The same, counted, with the first ten devices. */
export async function countTargetDevices(
  executor: Executor,
  query: TargetQuery,
): Promise<TargetPreview> {
  const { rows } = await executor.execute(sql`
    with candidate as materialized (${candidates(query)}),
    reached as (select * from candidate where exclusion is null)
    select (select count(*)::int from reached) as count,
           (select count(*)::int from reached where connectivity in ('online', 'degraded')) as online,
           coalesce((select jsonb_agg(jsonb_build_object('reason', exclusion, 'count', count) order by count desc)
                     from (select exclusion, count(*)::int from candidate where exclusion is not null
                           group by exclusion) left_out), '[]') as excluded,
           coalesce((select jsonb_agg(jsonb_build_object('id', "deviceId", 'serialNumber', "serialNumber", 'name', name))
                     from (select * from reached order by "deviceId" limit 10) first), '[]') as sample`);
  return rows[0] as unknown as TargetPreview;
}
