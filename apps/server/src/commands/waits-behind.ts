import { sql } from 'drizzle-orm';
import type { BusyRun } from '@deviceportal/contract/leases';
import { maskUser } from '../people/mask-person.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { getRun } from './get-run.ts';

/** Of so many devices that have not begun it is asked whose turn it is. */
const MOST_DEVICES = 1_000;

/**
 * Behind which changes of somebody else a run waits its turn, by how many of its devices: a schedule, a wave of an
 * AirBlast, an undo, or whatever was queued. Empty for a run that only reads.
 * @throws PortalError 5000 when there is no such run within the viewer's scope
 */
export async function waitsBehind(
  { database }: Pick<CommandsDeps, 'database'>,
  viewer: Viewer,
  { runId }: { readonly runId: string },
): Promise<BusyRun[]> {
  const run = await getRun({ database }, viewer, runId);
  if (run.consequence === 'reads' || run.endedAt !== null) return [];
  const { rows } = await database.orm.execute(sql`
    with waiting as materialized (
      select i.id, i.device_id, i.queued_at, r.created_by_id
      from invocation i join command_run r on r.id = i.run_id
      where i.run_id = ${runId} and i.ended_at is null and i.started_at is null limit ${MOST_DEVICES})
    select lease.run_id as "runId", lease.command, lease.holder, count(distinct waiting.device_id)::int as count
    from waiting
    join lease on lease.device_id = waiting.device_id and lease.run_id <> ${runId}
      and lease.holder_id <> waiting.created_by_id
    join invocation other on other.id = lease.invocation_id
      and (other.queued_at, other.id) < (waiting.queued_at, waiting.id)
    group by lease.run_id, lease.command, lease.holder order by count(*) desc, lease.run_id limit 5`);
  return (rows as unknown as BusyRun[]).map((busy) => ({
    ...busy,
    holder: maskUser(busy.holder, viewer),
  }));
}
