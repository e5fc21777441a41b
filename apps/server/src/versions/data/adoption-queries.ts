import { and, eq, lt, ne, or, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { columnNames } from '../../platform/database/column-names.ts';
import type { Transaction } from '../../platform/database/database.ts';
import {
  deviceVersionHistory,
  versionAdoption,
  versionCell,
  versionCellDelta,
} from './versions-tables.ts';

const { component, day, version, model, country, devices } = versionAdoption;
const columns = columnNames(component, day, version, model, country, devices);

/** Serializes writers, because two servers may write the same day. */
export async function lockAdoption(tx: Transaction): Promise<void> {
  await tx.execute(sql`lock table ${versionAdoption} in share row exclusive mode`);
}

/** Deletes the records of a day, and those older than the given number of days before it. */
export async function deleteAdoption(tx: Transaction, of: string, keptDays: number): Promise<void> {
  await tx
    .delete(versionAdoption)
    .where(or(eq(day, of), lt(day, sql`${of}::date - ${keptDays}::int`)));
}

/** Stores the current versions as those at the end of a day. */
export async function insertAdoption(tx: Transaction, of: string): Promise<void> {
  const cells = (cell: typeof versionCell | typeof versionCellDelta) =>
    tx
      .select({
        component: sql`${cell.component}`.as('component'),
        version: sql`${cell.version}`.as('version'),
        model: sql`${cell.model}`.as('model'),
        country: sql`${cell.country}`.as('country'),
        devices: sql`${cell.devices}`.as('devices'),
      })
      .from(cell);
  const all = unionAll(cells(versionCell), cells(versionCellDelta)).as('cell');
  await tx.execute(sql`
    insert into ${versionAdoption} (${columns})
    select ${all.component}, ${of}::date, ${all.version}, ${all.model}, ${all.country}, sum(${all.devices})
    from ${all} group by 1, 3, 4, 5 having sum(${all.devices}) > 0`);
}

/** Adoption of each version at the end of each past day, from the versions that devices ran then. */
export async function insertPastAdoption(
  tx: Transaction,
  { now, days }: { readonly now: Date; readonly days: number },
): Promise<void> {
  const change = deviceVersionHistory;
  const ran = tx
    .select({
      deviceId: change.deviceId,
      component: change.component,
      version: change.version,
      at: change.at,
      until: sql`lead(${change.at})
        over (partition by ${change.deviceId}, ${change.component} order by ${change.at}, ${change.id})`.as(
        'until',
      ),
    })
    .from(change)
    .as('ran');
  const today = sql`date_trunc('day', ${now.toISOString()}::timestamptz at time zone 'UTC')`;
  const end = sql`(past.day + interval '1 day') at time zone 'UTC'`;
  const device = deviceRecords;
  await tx.execute(sql`
    insert into ${versionAdoption} (${columns})
    select ${ran.component}, past.day::date, ${ran.version}, coalesce(${device.model}, ''),
      coalesce(${device.country}, ''), count(*)
    from generate_series(${today} - make_interval(days => ${days}), ${today} - interval '1 day', interval '1 day')
      past(day)
    join ${ran} on ${ran.at} < ${end} and (${ran.until} is null or ${ran.until} >= ${end})
      and ${ran.version} is not null
    join ${device} on ${and(eq(device.deviceId, ran.deviceId), ne(device.lifecycle, 'retired'))}
    group by 1, 2, 3, 4, 5
    on conflict do nothing`);
}
