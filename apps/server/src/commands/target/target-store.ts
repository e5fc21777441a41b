import { sql, type SQL } from 'drizzle-orm';
import type { CommandTarget, ExclusionReason } from '@deviceportal/contract/command-targets';
import type { BusyRun } from '@deviceportal/contract/leases';
import type { Scope } from '@deviceportal/contract/permissions';
import { checksSignatures } from '../../devices/data/checks-signatures.ts';
import { deviceScopeCondition } from '../../devices/device-scope-condition.ts';
import type { Executor } from '../../platform/database/database.ts';
import { arrayOf } from '../../platform/database/rows-of.ts';

/** Devices that the server finds by itself: those of an earlier run. They do not come to Node, however many they are. */
export interface SelectedTarget {
  readonly kind: 'selected';
  /** A query for their ids, as `id`, each once. */
  readonly select: SQL;
}

export type RunTarget = CommandTarget | SelectedTarget;

/** Whom a target means and who of them may be reached. */
export interface TargetQuery {
  readonly target: RunTarget;
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

/** `candidate`, every device of the target in sight, and `reached`, those without an exclusion, for `with`. */
export const reachedDevices = (query: TargetQuery): SQL => sql`
  candidate as materialized (${candidates(query)}),
  reached as materialized (select * from candidate where exclusion is null)`;

function candidates(query: TargetQuery): SQL {
  const needed = query.needsSerialNumber ? sql`d.serial_number is null` : sql`false`;
  return sql`
    select d.id as "deviceId", d.name, d.serial_number as "serialNumber", i.id as "instanceId", s.connectivity,
           coalesce(s.connectivity in ('online', 'degraded') and s.lifecycle = 'active', false) as ready,
           s.instance_id as "connectedInstanceId", d.owner_id as "ownerId", coalesce(d.country, '') as country,
           coalesce(d.model, '') as model,
           ${checksSignatures(sql`i`, sql`s`)} is false as unchecked,
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

function fromTarget(target: RunTarget): SQL {
  if (target.kind === 'filter') return sql`device d`;
  return sql`(${chosenIds(target)}) as wanted join device d on d.id = wanted.id`;
}

/** The devices that are chosen one by one, each once, as `id`. A filter chooses none. */
export function chosenIds(target: RunTarget): SQL {
  if (target.kind === 'selected') return target.select;
  const ids = target.kind === 'devices' ? distinctIds(target.deviceIds) : [];
  return sql`select id from unnest(${arrayOf('uuid', ids)}) as chosen(id)`;
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
  /** Over the sorted ids of those that are reached, one a line; hexadecimal. */
  readonly sha256: string;
  /** Whether the condition held under which they are written. */
  readonly agreed: boolean;
  /** The first of them, in the order of ids. */
  readonly deviceIds: readonly string[];
  /** All of them where they were written: 16 bytes each, in the order of ids. */
  readonly ids: Buffer | null;
}

/** Over ids of devices, sorted, one a line: an aggregate. */
export const sha256OfDevices = (id: SQL): SQL => sql`
  encode(sha256(convert_to(coalesce(string_agg(${id}::text, chr(10) order by ${id}), ''), 'UTF8')), 'hex')`;

export interface FreezeOptions {
  /** Inserts rows of `agreed`, numbered by `position` from 1 in the order of their ids. */
  readonly write: SQL | null;
  /** Over `count` and `sha256` of `whole`: only then the devices are agreed, and written. */
  readonly agreed: SQL;
  /** So many ids are answered. */
  readonly idLimit: number;
}

/**
 * Finds the devices of a target, hands them on and sums them up, in one statement: what is written is what was counted,
 * and nothing is written of devices that were not agreed.
 */
export async function freezeTargetDevices(
  executor: Executor,
  query: TargetQuery,
  { write, agreed, idLimit }: FreezeOptions,
): Promise<TargetFacts> {
  const written = write === null ? sql`` : sql`, written as (${write})`;
  const ids =
    write === null
      ? sql`null::bytea`
      : sql`(select string_agg(uuid_send("deviceId"), ''::bytea order by position) from agreed)`;
  const { rows } = await executor.execute(sql`
    with candidate as materialized (${candidates(query)}),
    reached as materialized (
      select *, row_number() over (order by "deviceId") as position from candidate where exclusion is null),
    whole as materialized (
      select count(*)::int as count, ${sha256OfDevices(sql`"deviceId"`)} as sha256 from reached),
    agreed as (select * from reached where (select ${agreed} from whole))
    ${written}
    select (select count(*)::int from candidate) as found, (select count from whole) as reached,
      (select count(*)::int from reached where ready) as ready,
      coalesce((select jsonb_object_agg(exclusion, count)
                from (select exclusion, count(*)::int from candidate where exclusion is not null group by exclusion)
                left_out), '{}') as excluded,
      (select jsonb_build_object('deviceId', "deviceId", 'name', name, 'exclusion', exclusion)
       from candidate order by "deviceId" limit 1) as first,
      (select "serialNumber" from reached where position = 1) as "serialNumber",
      (select sha256 from whole) as sha256, (select ${agreed} from whole) as agreed,
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
