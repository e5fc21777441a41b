import { sql, type SQL } from 'drizzle-orm';
import type {
  CommandTarget,
  ExclusionReason,
  TargetPreview,
} from '@deviceportal/contract/command-targets';
import type { BusyRun } from '@deviceportal/contract/leases';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../devices/device-scope-condition.ts';
import type { Executor } from '../platform/database/database.ts';
import { arrayOf } from '../platform/database/rows-of.ts';

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
  /** Whose own changes are no hindrance: devices that somebody else is changing are left out. Null asks for none. */
  readonly freeFor: string | null;
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
           coalesce(s.connectivity in ('online', 'degraded') and s.lifecycle = 'active', false) as ready,
           s.instance_id as "connectedInstanceId",
           case when (${deviceScopeCondition(query.runScopes)}) is not true then 'not-permitted'
                when d.lifecycle in ('suspended', 'retired') then d.lifecycle
                when i.id is null then 'no-instance'
                when ${needed} then 'no-serial-number'
                when ${isHeld(query)} then 'busy' end as exclusion
    from ${fromTarget(query.target)}
    left join device_status s on s.device_id = d.id
    left join device_instance i on i.device_id = d.id and i.state = 'current'
    where (${query.matches})
      and ${deviceScopeCondition(query.readScopes)}`;
}

function isHeld({ freeFor }: TargetQuery): SQL {
  if (freeFor === null) return sql`false`;
  return sql`exists (select 1 from lease where lease.device_id = d.id and lease.holder_id <> ${freeFor}::uuid)`;
}

/** The runs for which devices of a target are left out. */
export async function selectBusyRuns(executor: Executor, query: TargetQuery): Promise<BusyRun[]> {
  const { rows } = await executor.execute(sql`
    select lease.run_id as "runId", lease.command, lease.holder, count(*)::int as count
    from (${candidates(query)}) candidate join lease on lease.device_id = candidate."deviceId"
    where candidate.exclusion = 'busy' and lease.holder_id <> ${query.freeFor}::uuid
    group by lease.run_id, lease.command, lease.holder order by count(*) desc, lease.run_id limit 5`);
  return rows as unknown as BusyRun[];
}

function fromTarget(target: CommandTarget): SQL {
  if (target.kind === 'filter') return sql`device d`;
  return sql`unnest(${arrayOf('uuid', distinctIds(target.deviceIds))}) as wanted(id) join device d on d.id = wanted.id`;
}

export const distinctIds = (ids: readonly string[]): string[] => [
  ...new Set(ids.map((id) => id.toLowerCase())),
];

/** A target as it is at one moment; the devices themselves stay in the database. */
export interface TargetFacts {
  /** Devices in sight, reached or left out. */
  readonly found: number;
  readonly reached: number;
  /** Reached and connected: could be sent something now. */
  readonly ready: number;
  /** Left out, by reason. */
  readonly excluded: Readonly<Partial<Record<ExclusionReason, number>>>;
  /** In the order of ids. */
  readonly first: Pick<TargetDevice, 'deviceId' | 'name' | 'exclusion'> | null;
  /** Of the first that is reached. */
  readonly serialNumber: string | null;
  /** Over the sorted ids of those that are reached, one a line; hexadecimal. Null where there is none. */
  readonly sha256: string | null;
  /** The first of them, in the order of ids. */
  readonly deviceIds: readonly string[];
  /** All of them where they were written: 16 bytes each, in the order of ids. */
  readonly ids: Buffer | null;
}

/**
 * Finds the devices of a target, hands them on and sums them up, in one statement: what is written is what was counted.
 *
 * @param write inserts rows of `reached`, numbered by `position` from 1 in the order of their ids
 * @param idLimit so many ids are answered
 */
export async function freezeTargetDevices(
  executor: Executor,
  query: TargetQuery,
  { write, idLimit }: { readonly write: SQL | null; readonly idLimit: number },
): Promise<TargetFacts> {
  const written = write === null ? sql`` : sql`, written as (${write})`;
  const ids =
    write === null
      ? sql`null::bytea`
      : sql`(select string_agg(uuid_send("deviceId"), ''::bytea order by position) from reached)`;
  const { rows } = await executor.execute(sql`
    with candidate as materialized (${candidates(query)}),
    reached as materialized (
      select *, row_number() over (order by "deviceId") as position from candidate where exclusion is null)
    ${written}
    select (select count(*)::int from candidate) as found, (select count(*)::int from reached) as reached,
      (select count(*)::int from reached where ready) as ready,
      coalesce((select jsonb_object_agg(exclusion, count)
                from (select exclusion, count(*)::int from candidate where exclusion is not null group by exclusion)
                left_out), '{}') as excluded,
      (select jsonb_build_object('deviceId', "deviceId", 'name', name, 'exclusion', exclusion)
       from candidate order by "deviceId" limit 1) as first,
      (select "serialNumber" from reached where position = 1) as "serialNumber",
      (select encode(sha256(convert_to(string_agg("deviceId"::text, E'\\n' order by position), 'UTF8')), 'hex')
       from reached) as sha256,
      array(select "deviceId" from reached where position <= ${idLimit} order by position) as "deviceIds",
      ${ids} as ids`);
  return rows[0] as unknown as TargetFacts;
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

/** The same, counted, with the first ten devices. Which they are is kept for a while, under their hash. */
export async function showTargetDevices(
  executor: Executor,
  query: TargetQuery,
  now: Date,
): Promise<Omit<TargetPreview, 'busy'>> {
  const { rows } = await executor.execute(sql`
    with candidate as materialized (${candidates(query)}),
    reached as (select * from candidate where exclusion is null),
    whole as materialized (
      select array_agg("deviceId" order by "deviceId") as ids,
             encode(sha256(convert_to(coalesce(string_agg("deviceId"::text, chr(10) order by "deviceId"), ''), 'UTF8')),
                    'hex') as sha256
      from reached),
    kept as (
      insert into shown_target (sha256, device_ids, shown_at)
      select sha256, ids, ${now.toISOString()}::timestamptz from whole where ids is not null
      on conflict (sha256) do update set shown_at = excluded.shown_at
      where shown_target.shown_at < excluded.shown_at - interval '1 hour')
    select (select sha256 from whole) as sha256,
           (select count(*)::int from reached) as count,
           (select count(*)::int from reached where connectivity in ('online', 'degraded')) as online,
           coalesce((select jsonb_agg(jsonb_build_object('reason', exclusion, 'count', count) order by count desc)
                     from (select exclusion, count(*)::int from candidate where exclusion is not null
                           group by exclusion) left_out), '[]') as excluded,
           coalesce((select jsonb_agg(jsonb_build_object('id', "deviceId", 'serialNumber', "serialNumber", 'name', name))
                     from (select * from reached order by "deviceId" limit 10) first), '[]') as sample`);
  return rows[0] as unknown as Omit<TargetPreview, 'busy'>;
}
