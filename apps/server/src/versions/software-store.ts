import { sql, type SQL } from 'drizzle-orm';
import type { SoftwareVersionState } from '@deviceportal/contract/states';
import type { SoftwareReference } from '@deviceportal/contract/versions';
import type { Executor, Transaction } from '../platform/database/database.ts';

/** The same number as in the migration: new cells take it shared while they learn what is approved. */
const CELL_LOCK = 7_314_900_011;

export interface StoredSoftware {
  readonly state: SoftwareVersionState;
  readonly models: readonly string[];
}

export async function lockSoftware(
  tx: Transaction,
  { component, version }: SoftwareReference,
): Promise<StoredSoftware | undefined> {
  const found = await tx.execute<StoredSoftware & Record<string, unknown>>(sql`
    select state, models from software_version where component = ${component} and version = ${version} for update`);
  return found.rows[0];
}

/** False when the version is on record already. */
export async function insertSoftware(
  tx: Transaction,
  row: SoftwareReference & {
    readonly models: readonly string[];
    readonly channel: string;
    readonly releasedAt: string | null;
    readonly notes: string;
    readonly createdBy: string;
    readonly createdAt: Date;
  },
): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into software_version (component, version, models, channel, released_at, notes, created_by, created_at)
    values (${row.component}, ${row.version}, ${JSON.stringify(row.models)}::jsonb, ${row.channel}, ${row.releasedAt},
            ${row.notes}, ${row.createdBy}, ${row.createdAt.toISOString()})
    on conflict do nothing`);
  return inserted.rowCount === 1;
}

export async function setSoftwareState(
  tx: Transaction,
  { component, version }: SoftwareReference,
  state: SoftwareVersionState,
): Promise<void> {
  await tx.execute(sql`
    update software_version set state = ${state} where component = ${component} and version = ${version}`);
}

/** The file that devices install a version from, as it is stored. */
export interface SoftwareArtefact {
  readonly name: string;
  readonly storageKey: string;
  readonly bytes: number;
  readonly sha256: string;
}

export async function setSoftwareArtefact(
  tx: Transaction,
  { component, version }: SoftwareReference,
  artefact: SoftwareArtefact,
): Promise<void> {
  await tx.execute(sql`
    update software_version set artefact_name = ${artefact.name}, artefact_key = ${artefact.storageKey},
      artefact_bytes = ${artefact.bytes}, artefact_sha256 = ${artefact.sha256}
    where component = ${component} and version = ${version}`);
}

/**
 * What the versions of a component mean is worked out anew: after each change of an approval or of a version's state.
 * The devices that run them are told afterwards (`restate-devices.ts`): they may be many.
 */
export async function refreshCellStates(tx: Transaction, component: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${CELL_LOCK})`);
  await lockCells(tx, sql`component = ${component}`);
  await tx.execute(sql`
    with changed as (
      update version_cell c set state = fresh.state
      from (select version, model, country, tav_state(component, version, model, country) as state
            from version_cell where component = ${component}) fresh
      where c.component = ${component} and c.version = fresh.version and c.model = fresh.model
        and c.country = fresh.country and c.state is distinct from fresh.state
      returning c.version, c.devices)
    insert into version_restate as r (component, version, devices)
    select ${component}, version, greatest(0, sum(devices) + coalesce((
        select sum(k.devices) from version_cell_delta k
        where k.component = ${component} and k.version = changed.version), 0))
    from changed group by version order by version
    on conflict (component, version) do update
    set generation = r.generation + 1, devices = r.devices - r.done + excluded.devices, done = 0, after = null,
        horizon = null, settled = false, since = portal_now()`);
}

/** Whoever changes several cells locks them in the order of their keys: two who did so in another would wait for each other. */
async function lockCells(tx: Transaction, which: SQL): Promise<void> {
  await tx.execute(sql`
    select from version_cell where ${which} order by component, version, model, country for no key update`);
}

/** Folds the changes of counts in. Answers how many there were. */
export async function foldCellDeltas(on: Executor, most: number): Promise<number> {
  const folded = await on.execute<{ n: number }>(sql`
    with gone as (
      delete from version_cell_delta where id in (
        select id from version_cell_delta order by id limit ${most} for update skip locked) returning *),
    sums as (
      select component, version, model, country, sum(devices)::int as devices from gone group by 1, 2, 3, 4),
    locked as materialized (
      select component, version, model, country, s.devices
      from version_cell c join sums s using (component, version, model, country)
      where s.devices <> 0 order by component, version, model, country for no key update of c),
    done as (
      update version_cell c set devices = c.devices + l.devices from locked l
      where c.component = l.component and c.version = l.version and c.model = l.model and c.country = l.country)
    select count(*)::int as n from gone`);
  return folded.rows[0]?.n ?? 0;
}

/**
 * Counts everything anew. The counts follow each change by themselves; a device whose model and versions change at the
 * very same moment can put them off by one, and this puts them right. All devices are looked at again as well.
 */
export async function recountCells(tx: Transaction): Promise<void> {
  await tx.execute(sql`lock table version_cell_delta in share row exclusive mode`);
  await tx.execute(sql`delete from version_cell_delta`);
  await lockCells(tx, sql`true`);
  await tx.execute(sql`
    with counted as (
      select v.component, v.version, coalesce(d.model, '') as model, coalesce(d.country, '') as country, count(*)::int as n
      from device_version v join device d on d.id = v.device_id and d.lifecycle <> 'retired' group by 1, 2, 3, 4),
    added as (
      insert into version_cell (component, version, model, country, devices, state)
      select component, version, model, country, n, tav_state(component, version, model, country) from counted
      order by 1, 2, 3, 4
      on conflict (component, version, model, country) do update set devices = excluded.devices
      where version_cell.devices <> excluded.devices)
    update version_cell c set devices = 0
    where c.devices <> 0 and not exists (
      select from counted n where n.component = c.component and n.version = c.version and n.model = c.model
        and n.country = c.country)`);
  await tx.execute(sql`
    insert into version_restate (component, version, devices)
    select distinct component, version, 0 from version_cell where state is not null
    on conflict do nothing`);
}
