import { and, asc, eq, sql, sum } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { RestateProgress } from '@deviceportal/contract/versions';
import { deviceRecords } from '../../devices/data/device-records.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { deviceTav, deviceVersion, versionCell, versionRestate } from './versions-tables.ts';

/** Devices checked in one transaction, and the maximum number changed: their status rows are locked. */
const LOOKED_AT = 20_000;
const CHANGED = 2_000;

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * A version whose devices are being updated to its current state. `settled`: every transaction that may have read the
 * previous state had ended when this round began.
 */
export type Restate = Pick<
  typeof versionRestate.$inferSelect,
  'component' | 'version' | 'generation' | 'after' | 'settled'
>;

const inTurn = [
  asc(versionRestate.since),
  asc(versionRestate.component),
  asc(versionRestate.version),
] as const;

/** The next one to continue, oldest first. A new round determines whether the change has settled. */
export async function nextRestate(on: Executor): Promise<Restate | undefined> {
  const { component, version, generation, after, settled, horizon } = versionRestate;
  const fresh = alias(versionRestate, 'fresh');
  const next = on
    .select({ component: fresh.component, version: fresh.version })
    .from(fresh)
    .where(sql`${fresh.horizon} is null`)
    .orderBy(asc(fresh.since), asc(fresh.component), asc(fresh.version))
    .limit(1)
    .for('update', { skipLocked: true })
    .as('next');
  // A transaction id taken here is higher than that of every earlier writer. It is assigned with the lock of the row,
  // thus after the change was committed; therefore a single row, which is never waited for.
  await on
    .update(versionRestate)
    .set({ horizon: sql`pg_current_xact_id()::text::bigint` })
    .from(next)
    .where(and(eq(component, next.component), eq(version, next.version)));
  // Only running transactions of this database count: one in another database of the server may stay open for hours.
  // A number in the future is that of another server, from which this database was restored.
  await on
    .update(versionRestate)
    .set({ settled: true })
    .where(
      sql`${after} is null and not ${settled} and (pg_snapshot_xmax(pg_current_snapshot())::text::bigint <= ${horizon}
        or not exists (select from pg_stat_activity a
          where a.datname = current_database() and a.backend_xid is not null
            and age(a.backend_xid) > age((${horizon} % 4294967296)::text::xid)))`,
    );
  const [found] = await on
    .select({ component, version, generation, after, settled })
    .from(versionRestate)
    .orderBy(...inTurn)
    .limit(1);
  return found;
}

/** Updates some of the devices on the version. True when a round over all of them is complete. */
export async function restateSome(tx: Transaction, restate: Restate): Promise<boolean> {
  const batch = await findBatch(tx, restate);
  if (batch === undefined) return true;
  await tx.execute(sql`select restate_devices(${sql.param(batch.ids)}::uuid[])`);
  await recordProgress(tx, restate, { ...batch, done: batch.ids.length });
  return batch.ended;
}

/** The next devices whose state is not the current one of their version. */
async function findBatch(tx: Transaction, { component, version, after }: Restate) {
  const device = deviceRecords;
  const looked = tx.$with('looked').as(
    tx
      .select({ deviceId: deviceVersion.deviceId })
      .from(deviceVersion)
      .where(
        and(
          eq(deviceVersion.component, component),
          eq(deviceVersion.version, version),
          sql`${deviceVersion.deviceId} > ${after ?? BEFORE_ALL}::uuid`,
        ),
      )
      .orderBy(asc(deviceVersion.deviceId))
      .limit(LOOKED_AT),
  );
  const stale = tx.$with('stale').as(
    tx
      .select({ deviceId: looked.deviceId })
      .from(looked)
      .innerJoin(device, eq(device.deviceId, looked.deviceId))
      .leftJoin(
        versionCell,
        and(
          eq(versionCell.component, component),
          eq(versionCell.version, version),
          eq(versionCell.model, sql`coalesce(${device.model}, '')`),
          eq(versionCell.country, sql`coalesce(${device.country}, '')`),
          sql`${device.lifecycle} <> 'retired'`,
        ),
      )
      .leftJoin(
        deviceTav,
        and(eq(deviceTav.deviceId, looked.deviceId), eq(deviceTav.component, component)),
      )
      .where(sql`${deviceTav.state} is distinct from ${versionCell.state}`)
      .orderBy(asc(looked.deviceId))
      .limit(CHANGED),
  );
  const lastOf = (rows: typeof looked | typeof stale) =>
    sql`(select ${rows.deviceId} from ${rows} order by ${rows.deviceId} desc limit 1)`;
  const isFull = sql`(select count(*) from ${stale}) = ${CHANGED}::int`;
  const [batch] = await tx
    .with(looked, stale)
    .select({
      ids: sql<string[]>`array(select ${stale.deviceId} from ${stale})`,
      last: sql<
        string | null
      >`case when ${isFull} then ${lastOf(stale)} else ${lastOf(looked)} end`,
      ended: sql<boolean>`not ${isFull} and (select count(*) from ${looked}) < ${LOOKED_AT}::int`,
    })
    .from(sql`(select) as once`);
  return batch;
}

/** Changes nothing if the state of the version has changed again, or another server was faster. */
async function recordProgress(
  tx: Transaction,
  { component, version, generation, after, settled }: Restate,
  batch: { readonly done: number; readonly last: string | null; readonly ended: boolean },
): Promise<void> {
  const here = and(
    eq(versionRestate.component, component),
    eq(versionRestate.version, version),
    eq(versionRestate.generation, generation),
    sql`${versionRestate.after} is not distinct from ${after}::uuid`,
  );
  if (batch.ended && settled) {
    await tx.delete(versionRestate).where(here);
    return;
  }
  await tx
    .update(versionRestate)
    .set({
      done: sql`${versionRestate.done} + ${batch.done}`,
      after: batch.ended ? null : batch.last,
    })
    .where(here);
}

/** Total progress; null when no device is left. */
export async function restateProgress(on: Executor): Promise<RestateProgress | null> {
  const { done, devices } = versionRestate;
  const [found] = await on
    .select({
      share: sql<
        number | null
      >`sum(least(${done}, ${devices}))::float8 / nullif(${sum(devices)}, 0)`,
    })
    .from(versionRestate);
  const share = found?.share ?? null;
  return share === null ? null : { share };
}
