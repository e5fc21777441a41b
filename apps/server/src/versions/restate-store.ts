import { sql } from 'drizzle-orm';
import type { RestateProgress } from '@deviceportal/contract/versions';
import type { Executor, Transaction } from '../platform/database/database.ts';

/** Devices that are looked at in one transaction, and of them those that are changed: their status rows are locked. */
const LOOKED_AT = 20_000;
const CHANGED = 2_000;

/** A version whose devices are being told what it means for them now. */
export interface Restate {
  readonly component: string;
  readonly version: string;
  readonly generation: number;
  readonly after: string | null;
  /** Whether every transaction that may know what the version meant before had ended when this round began. */
  readonly settled: boolean;
}

/** The next one to go on with, the oldest first. A round that begins learns whether the change has settled. */
export async function nextRestate(on: Executor): Promise<Restate | undefined> {
  // Its own transaction id is higher than that of every one that wrote before. It gets it with the lock of the row, so
  // after the change was committed: hence one row, and never one that is waited for.
  await on.execute(sql`
    update version_restate r set horizon = pg_current_xact_id()::text::bigint
    from (select component, version from version_restate where horizon is null
      order by since, component, version limit 1 for update skip locked) n
    where r.component = n.component and r.version = n.version`);
  // Of the transactions that run, only those of this database count: another one on the same server may hold one open
  // for hours. A number that is still to come is that of another server, which this database was restored from.
  await on.execute(sql`
    update version_restate r set settled = true
    where r.after is null and not r.settled and (pg_snapshot_xmax(pg_current_snapshot())::text::bigint <= r.horizon
      or not exists (select from pg_stat_activity a
        where a.datname = current_database() and a.backend_xid is not null
          and age(a.backend_xid) > age((r.horizon % 4294967296)::text::xid)))`);
  const found = await on.execute<Restate & Record<string, unknown>>(sql`
    select component, version, generation, after, settled from version_restate
    order by since, component, version limit 1`);
  return found.rows[0];
}

/** Tells some devices of the version. True at the end of a round over all of them. */
export async function restateSome(tx: Transaction, restate: Restate): Promise<boolean> {
  const { component, version, after } = restate;
  const found = await tx.execute<{ ids: string[]; last: string | null; ended: boolean }>(sql`
    with looked as materialized (
      select v.device_id from device_version v
      where v.component = ${component} and v.version = ${version}
        and v.device_id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
      order by v.device_id limit ${LOOKED_AT}),
    stale as materialized (
      select l.device_id from looked l
      join device d on d.id = l.device_id
      left join version_cell c on c.component = ${component} and c.version = ${version}
        and c.model = coalesce(d.model, '') and c.country = coalesce(d.country, '') and d.lifecycle <> 'retired'
      left join device_tav t on t.device_id = l.device_id and t.component = ${component}
      where t.state is distinct from c.state
      order by l.device_id limit ${CHANGED})
    select array(select device_id from stale) as ids,
      case when (select count(*) from stale) = ${CHANGED}::int
        then (select device_id from stale order by device_id desc limit 1)
        else (select device_id from looked order by device_id desc limit 1) end as last,
      (select count(*) from stale) < ${CHANGED}::int and (select count(*) from looked) < ${LOOKED_AT}::int as ended`);
  const [batch] = found.rows;
  if (batch === undefined) return true;
  await tx.execute(sql`select restate_devices(${sql.param(batch.ids)}::uuid[])`);
  await recordProgress(tx, restate, { ...batch, told: batch.ids.length });
  return batch.ended;
}

/** Nothing where the version changed its meaning once more, or another server was quicker. */
async function recordProgress(
  tx: Transaction,
  { component, version, generation, after, settled }: Restate,
  batch: { readonly told: number; readonly last: string | null; readonly ended: boolean },
): Promise<void> {
  const here = sql`component = ${component} and version = ${version} and generation = ${generation}
    and after is not distinct from ${after}::uuid`;
  if (batch.ended && settled) {
    await tx.execute(sql`delete from version_restate where ${here}`);
    return;
  }
  await tx.execute(sql`
    update version_restate set done = done + ${batch.told}, after = ${batch.ended ? null : batch.last}::uuid
    where ${here}`);
}

/** How far all of that is; null when no device is left. */
export async function restateProgress(on: Executor): Promise<RestateProgress | null> {
  const found = await on.execute<{ share: number | null }>(sql`
    select sum(least(done, devices))::float8 / nullif(sum(devices), 0) as share from version_restate`);
  const share = found.rows[0]?.share ?? null;
  return share === null ? null : { share };
}
