import { and, eq, ne, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { personNames } from '../../people/data/person-names.ts';
import { columnNames } from '../../platform/database/column-names.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { excluded, setExcluded } from '../../platform/database/excluded.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { device, deviceLabel, deviceStatus } from './devices-tables.ts';

/**
 * Updates the copies of changed `device` columns: the search text, one row per label, and the facets and sort keys in
 * `device_status`. Copies that are up to date are not written.
 */
export async function refreshDeviceCopies(
  tx: Transaction,
  deviceIds: readonly string[],
): Promise<void> {
  if (deviceIds.length === 0) return;
  await refreshSearchText(tx, deviceIds);
  await refreshStatusCopies(tx, deviceIds);
  await refreshLabels(tx, deviceIds);
}

async function refreshSearchText(tx: Transaction, deviceIds: readonly string[]): Promise<void> {
  const read = alias(device, 'read');
  const labels = sql`(select string_agg(l.value, ' ' order by l.key) from jsonb_each_text(${read.labels}) l)`;
  const fresh = tx
    .select({
      id: read.id,
      text: sql<string>`lower(concat_ws(' ', ${read.serialNumber}, ${read.name}, ${personNames.name}, ${read.model},
        ${labels}))`.as('text'),
    })
    .from(read)
    .leftJoin(personNames, eq(personNames.personId, read.ownerId))
    .where(isAnyOf(read.id, deviceIds))
    .as('fresh');
  await tx
    .update(device)
    .set({ searchText: sql`${fresh.text}` })
    .from(fresh)
    .where(and(eq(device.id, fresh.id), ne(device.searchText, fresh.text)));
}

async function refreshStatusCopies(tx: Transaction, deviceIds: readonly string[]): Promise<void> {
  const { deviceId, country, model, lifecycle, serialRank, name } = deviceStatus;
  const copied = [country, model, lifecycle, serialRank, name] as const;
  await tx.execute(sql`
    insert into ${deviceStatus} (${columnNames(deviceId, ...copied)})
    select ${device.id}, ${device.country}, ${device.model}, ${device.lifecycle}, ${device.serialRank}, ${device.name}
    from ${device} where ${isAnyOf(device.id, deviceIds)} order by ${device.id}
    on conflict (${columnNames(deviceId)}) do update
    set ${setExcluded(deviceStatus, ['country', 'model', 'lifecycle', 'serialRank', 'name'])}
    where (${sql.join([...copied], sql`, `)})
      is distinct from (${sql.join(copied.map(excluded), sql`, `)})`);
}

async function refreshLabels(tx: Transaction, deviceIds: readonly string[]): Promise<void> {
  const { key, value, deviceId, serialRank, name } = deviceLabel;
  const copied = [value, serialRank, name] as const;
  await tx.execute(sql`
    delete from ${deviceLabel} using ${device}
    where ${isAnyOf(deviceId, deviceIds)} and ${device.id} = ${deviceId} and not ${device.labels} ? ${key}`);
  await tx.execute(sql`
    insert into ${deviceLabel} (${columnNames(key, value, deviceId, serialRank, name)})
    select e.key, e.value, ${device.id}, ${device.serialRank}, ${device.name}
    from ${device} cross join lateral jsonb_each_text(${device.labels}) e
    where ${isAnyOf(device.id, deviceIds)} order by ${device.id}, e.key
    on conflict (${columnNames(deviceId, key)}) do update
    set ${setExcluded(deviceLabel, ['value', 'serialRank', 'name'])}
    where (${sql.join([...copied], sql`, `)})
      is distinct from (${sql.join(copied.map(excluded), sql`, `)})`);
}

/** Sort key of a device by serial number. Unknown ones sort after all serial numbers, which do not contain `~`. */
export function serialRankOf(serialNumber: string | null, deviceId: string): string {
  return serialNumber ?? `~${deviceId}`;
}
