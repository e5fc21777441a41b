import { sql } from 'drizzle-orm';
import type { Transaction } from '../platform/database/database.ts';

/** The whole list of components that a device runs. */
export interface SoftwareRow {
  readonly deviceId: string;
  readonly at: Date;
  readonly components: readonly { readonly component: string; readonly version: string }[];
}

/** `before` null: the component is new on the device; `after` null: it is gone. */
export interface SoftwareChange {
  readonly deviceId: string;
  readonly component: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Component lists of many devices, in a handful of statements; of two lists of one device the later one counts. */
export async function applySoftware(
  tx: Transaction,
  rows: readonly SoftwareRow[],
): Promise<SoftwareChange[]> {
  if (rows.length === 0) return [];
  const newest = [...new Map(rows.map((row) => [row.deviceId, row])).values()];
  const ids = sql`${sql.param(newest.map((row) => row.deviceId))}::uuid[]`;
  const items = sql`jsonb_to_recordset(${JSON.stringify(newest.flatMap(toItems))}::jsonb)
    as i(device_id uuid, component text, version text, at timestamptz)`;
  // What a change of versions means is written there after each statement: of two lists of one device that come at once
  // the second waits before it has written anything.
  await tx.execute(
    sql`select from device_status where device_id = any(${ids}) order by device_id for no key update`,
  );
  const moments = sql`jsonb_to_recordset(${JSON.stringify(newest.map(toMoment))}::jsonb) as m(device_id uuid, at timestamptz)`;
  const differences = await tx.execute<DifferenceRow>(sql`
    with i as materialized (select * from ${items}),
    old as materialized (select device_id, component, version from device_version where device_id = any(${ids})),
    diff as (
      select coalesce(i.device_id, old.device_id) as device_id, coalesce(i.component, old.component) as component,
             old.version as before, i.version as after
      from i full join old on old.device_id = i.device_id and old.component = i.component
      where old.version is distinct from i.version),
    kept as (
      insert into device_version_history (device_id, component, version, at)
      select diff.device_id, component, after, m.at from diff join ${moments} on m.device_id = diff.device_id)
    select * from diff order by device_id, component`);
  await tx.execute(sql`
    insert into device_version as v (device_id, component, version, since, reported_at)
    select device_id, component, version, at, at from ${items} order by device_id, component
    on conflict (device_id, component) do update
    set version = excluded.version, reported_at = excluded.reported_at,
        since = case when v.version = excluded.version then v.since else excluded.since end`);
  const changes = differences.rows.map((row) => ({
    deviceId: row.device_id,
    component: row.component,
    before: row.before,
    after: row.after,
  }));
  await dropRemoved(tx, changes);
  await copyMainVersion(tx, [...new Set(changes.map((change) => change.deviceId))]);
  return changes;
}

interface DifferenceRow extends Record<string, unknown> {
  readonly device_id: string;
  readonly component: string;
  readonly before: string | null;
  readonly after: string | null;
}

async function dropRemoved(tx: Transaction, changes: readonly SoftwareChange[]): Promise<void> {
  const removed = changes.filter((change) => change.after === null);
  if (removed.length === 0) return;
  await tx.execute(sql`
    delete from device_version v
    using jsonb_to_recordset(${JSON.stringify(removed)}::jsonb) as r("deviceId" uuid, component text)
    where v.device_id = r."deviceId" and v.component = r.component`);
}

/** The version that device lists show: that of the firmware, else of the operating system. */
async function copyMainVersion(tx: Transaction, deviceIds: readonly string[]): Promise<void> {
  if (deviceIds.length === 0) return;
  await tx.execute(sql`
    update device_status s set software_version = main.version
    from (
      select ids.id, (
        select version from device_version v
        where v.device_id = ids.id and v.component in ('firmware', 'os')
        order by v.component limit 1) as version
      from unnest(${sql.param([...deviceIds])}::uuid[]) as ids(id)) main
    where s.device_id = main.id and s.software_version is distinct from main.version`);
}

function toItems(row: SoftwareRow) {
  // A list that names a component twice keeps the last of them.
  const byName = new Map(row.components.map((item) => [item.component, item.version]));
  return [...byName].map(([component, version]) => ({
    device_id: row.deviceId,
    component,
    version,
    at: row.at.toISOString(),
  }));
}

const toMoment = (row: SoftwareRow) => ({ device_id: row.deviceId, at: row.at.toISOString() });
