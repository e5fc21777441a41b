import type { BusyRun } from '@deviceportal/contract/leases';
import { sql, type SQL } from 'drizzle-orm';
import type { UndoOffer } from '@deviceportal/contract/run-undo';
import type { DocumentPhases } from '@deviceportal/contract/document-phases';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../../devices/device-scope-condition.ts';
import type { Executor } from '../../platform/database/database.ts';

export interface EffectQuery {
  readonly runId: string;
  /** Only this device; null: all of the run. */
  readonly deviceId: string | null;
  /** What lies outside one of them does not exist. */
  readonly scopes: readonly (readonly Scope[])[];
  /** Of the run's version: its first steps look before it. */
  readonly phases: DocumentPhases;
  readonly mainSteps: number;
}

/** What a run has done, as far as it can be taken back. */
export interface Effect {
  /** Devices on which a step of the document itself was begun. */
  readonly affected: number;
  /** Those of them on which no undo has ended well or is on its way. */
  readonly open: number;
  readonly sample: UndoOffer['sample'];
}

const SAMPLE = 10;

function affectedDevices(query: EffectQuery): SQL {
  const from = query.phases.preCheck?.length ?? 0;
  const one = query.deviceId === null ? sql`true` : sql`i.device_id = ${query.deviceId}`;
  const scopes = query.scopes.map((scope) => deviceScopeCondition(scope));
  return sql`
    select d.id, d.serial_number as "serialNumber", d.name,
           exists (select 1 from command_run u join invocation ui on ui.run_id = u.id
                   where u.undoes_run_id = i.run_id and ui.device_id = i.device_id
                     and (ui.state = 'Success' or ui.ended_at is null)) as undone
    from invocation i join device d on d.id = i.device_id
    where i.run_id = ${query.runId} and ${one} and i.ended_at is not null and ${allOf(scopes)}
      and exists (select 1 from jsonb_array_elements(i.steps) step
                  where (step->>'index')::int >= ${from}
                    and (step->>'index')::int < ${from + query.mainSteps}
                    and step->>'state' <> 'Skipped')`;
}

export async function selectEffect(executor: Executor, query: EffectQuery): Promise<Effect> {
  const { rows } = await executor.execute(sql`
    with affected as materialized (${affectedDevices(query)}),
    open as (select id, "serialNumber", name from affected where not undone)
    select (select count(*)::int from affected) as affected, (select count(*)::int from open) as open,
           coalesce((select jsonb_agg(first) from (select * from open order by id limit ${SAMPLE}) first), '[]')
             as sample`);
  return rows[0] as unknown as Effect;
}

/** A query for the devices that an undo reaches. */
export const openDevices = (query: EffectQuery): SQL => sql`
  select id from (${affectedDevices(query)}) affected where not undone`;

/** What somebody else is changing on the devices that are left. */
export async function selectBusyRunsOfOthers(
  executor: Executor,
  query: EffectQuery,
  userId: string,
): Promise<BusyRun[]> {
  const { rows } = await executor.execute(sql`
    select lease.run_id as "runId", lease.command, lease.holder, count(*)::int as count
    from (${affectedDevices(query)}) affected join lease on lease.device_id = affected.id
    where not affected.undone and lease.holder_id <> ${userId}::uuid
    group by lease.run_id, lease.command, lease.holder order by count(*) desc, lease.run_id limit 5`);
  return rows as unknown as BusyRun[];
}

const allOf = (conditions: readonly SQL[]): SQL => sql.join([...conditions], sql` and `);

export async function selectUndoingRuns(
  executor: Executor,
  runId: string,
): Promise<UndoOffer['undoneBy']> {
  const { rows } = await executor.execute(sql`
    select id as "runId", created_by as by, created_at as at from command_run
    where undoes_run_id = ${runId} order by created_at desc, id desc limit 20`);
  return rows as unknown as UndoOffer['undoneBy'];
}
