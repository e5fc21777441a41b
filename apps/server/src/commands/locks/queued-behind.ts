import { sql } from 'drizzle-orm';
import type { BusyRun, RunWait, WaitsBehindInput } from '@deviceportal/contract/leases';
import { scopesOf } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../../devices/device-scope-condition.ts';
import { maskUser } from '../../people/mask-person.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { runScopeCondition } from '../run-store.ts';

/** Of so many devices of a run that have not begun it is asked whose turn it is. */
const MOST_DEVICES = 1_000;
/** Those that hold most of its devices. */
const NAMED = 5;

/**
 * Behind which changes of somebody else runs wait their turn, by how many of their devices: a schedule, a wave of an
 * AirBlast, an undo, or whatever was queued. A run that waits for nobody, only reads or is out of sight is absent, and
 * devices out of sight do not count.
 */
export async function waitsBehind(
  { database }: Pick<CommandsDeps, 'database'>,
  viewer: Viewer,
  { runIds, deviceId }: WaitsBehindInput,
): Promise<RunWait[]> {
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const inScope = deviceScopeCondition(scopes);
  const there = deviceId === null ? sql`true` : sql`i.device_id = ${deviceId}`;
  const { rows } = await database.orm.execute(sql`
    with asked as materialized (
      select r.id, r.created_by_id from command_run r
      where r.id = any(${sql.param([...runIds])}::uuid[]) and r.ended_at is null and r.consequence <> 'reads'
        and ${runScopeCondition(scopes)}),
    waiting as materialized (
      select asked.id as run_id, asked.created_by_id, i.id, i.device_id, i.queued_at
      from asked cross join lateral (
        select i.id, i.device_id, i.queued_at from invocation i join device d on d.id = i.device_id
        where i.run_id = asked.id and ${there} and i.ended_at is null and i.started_at is null and ${inScope}
        limit ${MOST_DEVICES}) i),
    behind as (
      select waiting.run_id as waits, lease.run_id, lease.command, lease.holder,
             count(distinct waiting.device_id)::int as count
      from waiting
      join lease on lease.device_id = waiting.device_id and lease.run_id <> waiting.run_id
        and lease.holder_id <> waiting.created_by_id
      join invocation other on other.id = lease.invocation_id
        and (other.queued_at, other.id) < (waiting.queued_at, waiting.id)
      group by waiting.run_id, lease.run_id, lease.command, lease.holder),
    ranked as (
      select *, row_number() over (partition by waits order by count desc, run_id) as place from behind)
    select waits, run_id as "runId", command, holder, count from ranked
    where place <= ${NAMED} order by waits, place`);
  const found = rows as unknown as (BusyRun & { readonly waits: string })[];
  return [...Map.groupBy(found, ({ waits }) => waits)].map(([runId, runs]) => ({
    runId,
    behind: runs.map(({ waits: _waits, ...busy }) => ({
      ...busy,
      holder: maskUser(busy.holder, viewer),
    })),
  }));
}
