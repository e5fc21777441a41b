import { sql, type SQL } from 'drizzle-orm';
import type { RunDetail } from '@deviceportal/contract/runs';
import { scopesOf } from '@deviceportal/contract/permissions';
import type { StatusDetails } from '@deviceportal/contract/states';
import { deviceScopeCondition } from '../devices/device-scope-condition.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Database, Executor } from '../platform/database/database.ts';
import { isoOrNull } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { NO_RAMP } from './execution/run-state-machine.ts';
import { getRun } from './get-run.ts';

/** What keeps invocations of a run open. */
export type OpenCause = 'suspended' | 'offline' | 'waiting' | 'running';

interface FirstOfThem {
  readonly invocationId: string;
  readonly deviceId: string;
  readonly device: string;
}

export interface OpenGroup extends FirstOfThem {
  readonly cause: OpenCause;
  readonly count: number;
  /** Since when it holds for the first of them. */
  readonly since: string | null;
}

export interface EndedGroup extends FirstOfThem {
  readonly statusDetails: StatusDetails;
  readonly count: number;
}

/** Everything that can say why a run stands where it stands, of devices that the viewer may see. */
export interface RunReasonFacts {
  readonly run: RunDetail;
  /** How many of it may be under way at present. */
  readonly rampLimit: number;
  readonly open: readonly OpenGroup[];
  /** Not all that is open was counted. */
  readonly openIsMore: boolean;
  /** The most frequent first; successes are left out. */
  readonly ended: readonly EndedGroup[];
  readonly cancelledBy: RunEnder | null;
  /** By whom its approval was refused; that cancels it, too. */
  readonly rejectedBy: (RunEnder & { readonly comment: string | null }) | null;
}

export interface RunEnder {
  readonly by: string;
  readonly at: string | null;
}

/** More of a run is open only for a moment, and then nobody counts to the last one. */
const OPEN_COUNTED = 10_000;

/** @throws PortalError 5000 when there is no such run within the viewer's scope */
export async function findRunFacts(
  { database }: { readonly database: Database },
  viewer: Viewer,
  id: string,
): Promise<RunReasonFacts> {
  const run = await getRun({ database }, viewer, id);
  const inScope = deviceScopeCondition(scopesOf(viewer.grants, ['commands:read']));
  const [rampLimit, open, ended, { cancelledBy, rejectedBy }] = await Promise.all([
    selectRampLimit(database.orm, run),
    selectOpen(database.orm, id, inScope),
    selectEnded(database.orm, id, inScope),
    findEnders(database.orm, id),
  ]);
  return {
    run,
    rampLimit,
    open,
    openIsMore: open.reduce((sum, { count }) => sum + count, 0) >= OPEN_COUNTED,
    ended,
    cancelledBy: cancelledBy && { ...cancelledBy, by: maskUser(cancelledBy.by, viewer) },
    rejectedBy: rejectedBy && { ...rejectedBy, by: maskUser(rejectedBy.by, viewer) },
  };
}

async function selectRampLimit(on: Executor, { id, counters }: RunDetail): Promise<number> {
  const { rows } = await on.execute<{ rampLimit: number }>(sql`
    select case when target_count = ${counters.target} then ramp_limit else ${NO_RAMP}::int end as "rampLimit"
    from command_run where id = ${id}`);
  return rows[0]?.rampLimit ?? 1;
}

async function selectOpen(on: Executor, runId: string, inScope: SQL): Promise<OpenGroup[]> {
  const { rows } = await on.execute(sql`
    with open as (
      select i.id, i.device_id, i.state, coalesce(i.started_at, i.sent_at) as begun_at, i.queued_at,
        coalesce(d.serial_number, d.name) as device
      from invocation i join device d on d.id = i.device_id
      where i.run_id = ${runId} and i.state in ('Pending', 'Delayed', 'InProgress', 'Cancelling') and ${inScope}
      limit ${OPEN_COUNTED}),
    caused as (
      select open.id, open.device_id, open.device, case
          when s.lifecycle <> 'active' then 'suspended'
          when s.connectivity not in ('online', 'degraded') then 'offline'
          when open.state in ('InProgress', 'Cancelling') then 'running'
          else 'waiting' end as cause, case
          when s.connectivity not in ('online', 'degraded') then s.connectivity_since
          else coalesce(open.begun_at, open.queued_at) end as since
      from open join device_status s on s.device_id = open.device_id)
    select cause, count(*)::int as count, min(since) as since, (array_agg(jsonb_build_object('invocationId', id,
      'deviceId', device_id, 'device', device) order by since, id))[1] as first
    from caused group by cause order by count desc, cause`);
  return (rows as unknown as (OpenGroup & { first: FirstOfThem })[]).map(({ first, ...group }) => ({
    ...group,
    ...first,
    since: isoOrNull(group.since),
  }));
}

async function selectEnded(on: Executor, runId: string, inScope: SQL): Promise<EndedGroup[]> {
  const { rows } = await on.execute(sql`
    select ended."statusDetails", ended.count, ended.id as "invocationId", d.id as "deviceId",
      coalesce(d.serial_number, d.name) as device
    from (
      select i.status_details as "statusDetails", count(*)::int as count, min(i.id::text)::uuid as id
      from invocation i join device d on d.id = i.device_id
      where i.run_id = ${runId} and i.state in ('Failed', 'TimedOut', 'Cancelled') and ${inScope}
      group by 1) ended
    join invocation first on first.id = ended.id
    join device d on d.id = first.device_id
    order by ended.count desc, ended."statusDetails"`);
  return rows as unknown as EndedGroup[];
}

async function findEnders(
  on: Executor,
  runId: string,
): Promise<Pick<RunReasonFacts, 'cancelledBy' | 'rejectedBy'>> {
  const { rows } = await on.execute<{
    type: string;
    by: string;
    at: string;
    comment: string | null;
  }>(sql`
    select distinct on (type) type, actor_name as by, at, nullif(data->>'comment', '') as comment from audit_event
    where run_id = ${runId} and type in ('command.cancel-requested', 'command.rejected') order by type, at desc`);
  const enderOf = (type: string) => {
    const found = rows.find((row) => row.type === type);
    return found === undefined
      ? null
      : { by: found.by, at: isoOrNull(found.at), comment: found.comment };
  };
  return {
    cancelledBy: enderOf('command.cancel-requested'),
    rejectedBy: enderOf('command.rejected'),
  };
}
