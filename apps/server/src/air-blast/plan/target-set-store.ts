import { sql, type SQL } from 'drizzle-orm';
import type { AirBlastReport, BlastRadius, ReasonCount } from '@deviceportal/contract/air-blast';
import { currentInstances as instance } from '../../devices/data/current-instances.ts';
import { deviceConnections as connection } from '../../devices/data/device-connections.ts';
import { deviceRecords as device } from '../../devices/data/device-records.ts';
import { runsUnchecked } from '../../devices/data/checks-signatures.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isOnVersion } from '../../versions/data/known-versions.ts';

export interface PlanKey {
  readonly id: string;
  readonly revision: number;
}

const ofPlan = ({ id, revision }: PlanKey): SQL =>
  sql`t.air_blast_id = ${id}::uuid and t.revision = ${revision}::int`;

/** All devices of a plan in one statement; an exclusion keeps a device out, and on record. */
export async function insertTargets(
  tx: Transaction,
  plan: PlanKey,
  devices: readonly { readonly deviceId: string; readonly exclusion: string | null }[],
): Promise<void> {
  await tx.execute(sql`
    insert into air_blast_target (air_blast_id, revision, device_id, exclusion)
    select ${plan.id}::uuid, ${plan.revision}::int, n.device_id, n.exclusion
    from unnest(${sql.param(devices.map(({ deviceId }) => deviceId))}::uuid[],
                ${sql.param(devices.map(({ exclusion }) => exclusion))}::text[]) as n(device_id, exclusion)`);
}

export async function measureRadius(executor: Executor, plan: PlanKey): Promise<BlastRadius> {
  const { rows } = await executor.execute(sql`
    with reached as materialized (
      select ${device.ownerId} as owner_id, coalesce(${device.country}, '') as country,
             coalesce(${device.model}, '') as model
      from air_blast_target t join ${device} on ${device.deviceId} = t.device_id where ${ofPlan(plan)} and t.exclusion is null)
    select (select count(*)::int from reached) as devices,
           (select count(distinct owner_id)::int from reached) as people,
           (select coalesce(jsonb_agg(c order by c.count desc, c.country), '[]') from
             (select country, count(*)::int from reached group by country) c) as countries,
           (select coalesce(jsonb_agg(m order by m.count desc, m.model), '[]') from
             (select model, count(*)::int from reached group by model) m) as models`);
  return rows[0] as unknown as BlastRadius;
}

export interface PreflightRules extends PlanKey {
  readonly platforms: readonly string[];
  /** Empty does not limit. */
  readonly models: readonly string[];
  readonly countries: readonly string[];
  readonly waitForOffline: boolean;
  readonly maxDiskUsedPercent: number;
}

/** Checks every device of the plan in one statement: no reason is a go. */
export async function checkTargets(tx: Transaction, rules: PreflightRules): Promise<void> {
  const list = (values: readonly string[]): SQL => sql`${sql.param([...values])}::text[]`;
  await tx.execute(sql`
    update air_blast_target t set canary = false, no_go = array_remove(array[
      case when ${device.lifecycle} <> 'active' then 'lifecycle' end,
      case when not ${rules.waitForOffline}::boolean and coalesce(${connection.connectivity}, 'never') not in ('online', 'degraded')
           then 'offline' end,
      case when ${instance.instanceId} is null or not ${instance.platformType} = any(${list(rules.platforms)}) then 'platform' end,
      case when cardinality(${list(rules.models)}) > 0 and not coalesce(${device.model}, '') = any(${list(rules.models)})
           then 'model' end,
      case when cardinality(${list(rules.countries)}) > 0 and ${device.country} is not null
                and not ${device.country} = any(${list(rules.countries)}) then 'country' end,
      case when exists (select 1 from invocation v join command_run r on r.id = v.run_id
                        where v.device_id = t.device_id and v.ended_at is null and r.consequence <> 'reads')
           then 'conflicting-run' end,
      case when exists (select 1 from air_blast_target o join air_blast a
                          on a.id = o.air_blast_id and a.revision = o.revision
                        where o.device_id = t.device_id and o.exclusion is null and o.no_go = '{}' and a.id <> ${rules.id}::uuid
                          and a.step in ('canary', 'blast', 'verify') and a.state not in ('done', 'aborted'))
           then 'conflicting-air-blast' end,
      case when ${connection.diskUsedPercent} > ${rules.maxDiskUsedPercent}::int then 'disk-full' end], null)
    from ${device}
    left join ${connection} on ${connection.deviceId} = ${device.deviceId}
    left join ${instance} on ${instance.deviceId} = ${device.deviceId}
    where ${device.deviceId} = t.device_id and ${ofPlan(rules)} and t.exclusion is null`);
}

/** So many devices of those that may go, spread over the models and chosen the same way every time. */
export async function chooseCanaries(
  tx: Transaction,
  plan: PlanKey,
  count: number,
): Promise<string[]> {
  const { rows } = await tx.execute(sql`
    with ranked as (
      select t.device_id, row_number() over (partition by ${device.model} order by md5(t.device_id::text)) as place
      from air_blast_target t join ${device} on ${device.deviceId} = t.device_id
      where ${ofPlan(plan)} and t.exclusion is null and t.no_go = '{}'),
    chosen as (select device_id from ranked order by place, md5(device_id::text) limit ${count})
    update air_blast_target t set canary = true from chosen
    where ${ofPlan(plan)} and t.device_id = chosen.device_id returning t.device_id as id`);
  return (rows as unknown as { id: string }[]).map(({ id }) => id).toSorted();
}

export type TargetPart =
  | 'go'
  /** Neither canary nor changed yet: also what a stopped wave took back. */
  | 'rest'
  | 'never-sent'
  /** Had their turn and failed; what was taken back before has not. */
  | 'blast-errors'
  | 'canary-failed'
  | 'blast-failed'
  | 'unverified'
  | 'attempted';

/** The devices that may go, of one part. */
function inPart(plan: PlanKey, part: TargetPart): SQL {
  const failed = sql`not exists (select 1 from invocation v
    where v.run_id = t.run_id and v.device_id = t.device_id and v.state = 'Success')`;
  const which: Readonly<Record<TargetPart, SQL>> = {
    go: sql`true`,
    rest: sql`not t.canary and ${failed}`,
    'never-sent': sql`not t.canary and t.run_id is null`,
    'blast-errors': sql`not t.canary and exists (select 1 from invocation v
      where v.run_id = t.run_id and v.device_id = t.device_id and v.state in ('Failed', 'TimedOut'))`,
    'canary-failed': sql`t.canary and ${failed}`,
    'blast-failed': sql`not t.canary and t.run_id is not null and ${failed}`,
    unverified: sql`t.verified is not true`,
    attempted: sql`t.run_id is not null`,
  };
  return sql`${ofPlan(plan)} and t.exclusion is null and t.no_go = '{}' and ${which[part]}`;
}

export async function countDevices(
  executor: Executor,
  plan: PlanKey,
  part: TargetPart,
): Promise<number> {
  const { rows } = await executor.execute(sql`
    select count(*)::int as count from air_blast_target t where ${inPart(plan, part)}`);
  return (rows[0] as { count: number }).count;
}

/** In the order of their ids. */
export async function selectDeviceIds(
  executor: Executor,
  plan: PlanKey,
  part: TargetPart,
): Promise<string[]> {
  const { rows } = await executor.execute(sql`
    select t.device_id as id from air_blast_target t where ${inPart(plan, part)} order by t.device_id`);
  return (rows as unknown as { id: string }[]).map(({ id }) => id);
}

/** Counts of reasons: of exclusions, and of what preflight said. */
export async function countReasons(
  executor: Executor,
  plan: PlanKey,
): Promise<{
  readonly excluded: ReasonCount[];
  readonly noGo: ReasonCount[];
  readonly go: number;
}> {
  const { rows } = await executor.execute(sql`
    select (select coalesce(jsonb_agg(e order by e.count desc), '[]') from
             (select exclusion as reason, count(*)::int from air_blast_target t
              where ${ofPlan(plan)} and exclusion is not null group by 1) e) as excluded,
           (select coalesce(jsonb_agg(e order by e.count desc), '[]') from
             (select reason, count(*)::int from air_blast_target t, unnest(t.no_go) as reason
              where ${ofPlan(plan)} group by 1) e) as "noGo",
           (select count(*)::int from air_blast_target t
            where ${ofPlan(plan)} and exclusion is null and no_go = '{}') as go`);
  return rows[0] as unknown as { excluded: ReasonCount[]; noGo: ReasonCount[]; go: number };
}

/** Of the targets `t` those that would get the change and do not check that it is signed. */
export const wouldRunUnchecked = sql`t.exclusion is null and coalesce(t.no_go, '{}') = '{}'
  and ${runsUnchecked(sql`t.device_id`)}`;

export async function countUnchecked(executor: Executor, plan: PlanKey): Promise<number> {
  const { rows } = await executor.execute<{ count: number }>(sql`
    select count(*)::int as count from air_blast_target t where ${ofPlan(plan)} and ${wouldRunUnchecked}`);
  return rows[0]?.count ?? 0;
}

export interface OutcomeCounts {
  readonly total: number;
  readonly success: number;
  /** Failed and Execution Timed Out, as SSM counts errors. */
  readonly errors: number;
}

/** How the last command run on each of these devices went. */
export async function countOutcomes(
  executor: Executor,
  plan: PlanKey,
  deviceIds: readonly string[] | 'canaries',
): Promise<OutcomeCounts> {
  const which =
    deviceIds === 'canaries'
      ? sql`t.canary`
      : sql`t.device_id = any(${sql.param([...deviceIds])}::uuid[])`;
  const { rows } = await executor.execute(sql`
    select count(*)::int as total, count(*) filter (where v.state = 'Success')::int as success,
           count(*) filter (where v.state = 'Failed' or v.status_details = 'Execution Timed Out')::int as errors
    from air_blast_target t left join invocation v on v.run_id = t.run_id and v.device_id = t.device_id
    where ${ofPlan(plan)} and ${which}`);
  return rows[0] as unknown as OutcomeCounts;
}

/** What devices say now, against the intent: the verify document's result, the reported version, or the change's own. */
export async function verifyTargets(
  tx: Transaction,
  plan: PlanKey & {
    readonly component: string | null;
    readonly version: string | null;
    readonly byDocument: boolean;
  },
): Promise<{ readonly total: number; readonly verified: number }> {
  const succeededIn = (column: string): SQL => sql`exists (select 1 from invocation v
    where v.run_id = t.${sql.raw(column)} and v.device_id = t.device_id and v.state = 'Success')`;
  const { component, version } = plan;
  const own =
    component === null
      ? succeededIn('run_id')
      : version === null
        ? sql`false`
        : isOnVersion(sql`t.device_id`, { component, version });
  const { rows } = await tx.execute(sql`
    with looked as (
      update air_blast_target t set verified = ${plan.byDocument ? succeededIn('verify_run_id') : own}
      where ${ofPlan(plan)} and t.exclusion is null and t.no_go = '{}' and t.run_id is not null
      returning t.verified)
    select count(*)::int as total, count(*) filter (where verified)::int as verified from looked`);
  return rows[0] as unknown as { total: number; verified: number };
}

export async function setRunOfTargets(
  tx: Transaction,
  plan: PlanKey,
  run: { readonly id: string; readonly kind: string; readonly deviceIds: readonly string[] },
): Promise<void> {
  const column = sql.raw(run.kind === 'verify' ? 'verify_run_id' : 'run_id');
  await tx.execute(sql`
    update air_blast_target t set ${column} = ${run.id}::uuid
    where ${ofPlan(plan)} and t.device_id = any(${sql.param([...run.deviceIds])}::uuid[])`);
}

/** Keeps failed devices out of everything that follows; what became of them stays on record. */
export async function leaveOutTargets(
  tx: Transaction,
  plan: PlanKey,
  deviceIds: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    update air_blast_target t set no_go = array_append(coalesce(no_go, '{}'), 'left-out')
    where ${ofPlan(plan)} and t.device_id = any(${sql.param([...deviceIds])}::uuid[])`);
}

/** The devices that a target set's hash is over: all but the excluded and those that were left out since. */
export async function selectTargetSet(executor: Executor, plan: PlanKey): Promise<string[]> {
  const { rows } = await executor.execute(sql`
    select t.device_id as id from air_blast_target t
    where ${ofPlan(plan)} and t.exclusion is null and not 'left-out' = any(coalesce(t.no_go, '{}'))
    order by t.device_id`);
  return (rows as unknown as { id: string }[]).map(({ id }) => id);
}

export async function countReport(executor: Executor, plan: PlanKey): Promise<AirBlastReport> {
  const { rows } = await executor.execute(sql`
    with counted as (
      select t.*, t.exclusion is null and coalesce(t.no_go, '{}') = '{}' and t.verified is null as "isOpen", v.state
      from air_blast_target t left join invocation v on v.run_id = t.run_id and v.device_id = t.device_id
      where ${ofPlan(plan)})
    select count(*) filter (where verified)::int as "asIntended",
           count(*) filter (where verified = false)::int as different,
           count(*) filter (where "isOpen" and state = 'Success')::int as "notVerified",
           count(*) filter (where "isOpen" and state in ('Failed', 'TimedOut'))::int as failed,
           count(*) filter (where "isOpen" and coalesce(state, '') not in ('Success', 'Failed', 'TimedOut'))::int as "notChanged",
           count(*) filter (where exclusion is not null)::int as excluded,
           count(*) filter (where 'left-out' = any(no_go))::int as "leftOut",
           count(*) filter (where exclusion is null and no_go <> '{}' and not 'left-out' = any(no_go))::int as "noGo"
    from counted`);
  return rows[0] as unknown as AirBlastReport;
}

/** Whether a device has got the change in any plan of the run. */
export async function hasSentChange(executor: Executor, id: string): Promise<boolean> {
  const { rows } = await executor.execute(sql`
    select exists (select 1 from air_blast_target where air_blast_id = ${id} and run_id is not null) as sent`);
  return (rows[0] as { sent: boolean }).sent;
}

/** How many of these devices are no part of the plan's present target set. */
export async function countOutsideSet(
  executor: Executor,
  plan: PlanKey,
  deviceIds: readonly string[],
): Promise<number> {
  const { rows } = await executor.execute(sql`
    select count(*)::int as count from unnest(${sql.param([...deviceIds])}::uuid[]) as wave(device_id)
    where not exists (select 1 from air_blast_target t
      where ${ofPlan(plan)} and t.device_id = wave.device_id and t.exclusion is null
        and not 'left-out' = any(coalesce(t.no_go, '{}')))`);
  return (rows[0] as { count: number }).count;
}

/** A query of the plan's devices, but for those that are kept out. */
export const devicesOfPlan = (plan: PlanKey): SQL => sql`
  select ${device.country}, ${device.model}, ${device.labels}
  from air_blast_target t join ${device} on ${device.deviceId} = t.device_id
  where ${ofPlan(plan)} and t.exclusion is null`;
