import { sql } from 'drizzle-orm';
import type { Transaction } from '../platform/database/database.ts';

/**
 * Brings everything that is copied from `device` back in step, for the given devices: the text that search looks in,
 * one row per label, and the facets and sort keys beside the hot status. Rows that are in step are not written.
 */
export async function refreshDeviceCopies(
  tx: Transaction,
  deviceIds: readonly string[],
): Promise<void> {
  if (deviceIds.length === 0) return;
  const ids = sql`${sql.param([...deviceIds])}::uuid[]`;
  await tx.execute(sql`
    update device d set search_text = fresh.text
    from (
      select d.id, lower(concat_ws(' ', d.serial_number, d.name, p.name, d.model,
        (select string_agg(l.value, ' ' order by l.key) from jsonb_each_text(d.labels) l))) as text
      from device d left join person p on p.id = d.owner_id
      where d.id = any(${ids})
    ) fresh
    where d.id = fresh.id and d.search_text <> fresh.text`);
  await tx.execute(sql`
    insert into device_status as s (device_id, country, model, lifecycle, serial_rank, name)
    select id, country, model, lifecycle, serial_rank, name from device where id = any(${ids})
    order by id
    on conflict (device_id) do update
    set country = excluded.country, model = excluded.model, lifecycle = excluded.lifecycle,
        serial_rank = excluded.serial_rank, name = excluded.name
    where (s.country, s.model, s.lifecycle, s.serial_rank, s.name) is distinct from
          (excluded.country, excluded.model, excluded.lifecycle, excluded.serial_rank, excluded.name)`);
  await tx.execute(sql`
    delete from device_label l using device d
    where l.device_id = any(${ids}) and d.id = l.device_id and not d.labels ? l.key`);
  await tx.execute(sql`
    insert into device_label as l (key, value, device_id, serial_rank, name)
    select e.key, e.value, d.id, d.serial_rank, d.name
    from device d cross join lateral jsonb_each_text(d.labels) e
    where d.id = any(${ids})
    order by d.id, e.key
    on conflict (device_id, key) do update
    set value = excluded.value, serial_rank = excluded.serial_rank, name = excluded.name
    where (l.value, l.serial_rank, l.name) is distinct from
          (excluded.value, excluded.serial_rank, excluded.name)`);
}

/** What a device sorts by when its serial number is unknown: behind every serial number, which holds no `~`. */
export function serialRankOf(serialNumber: string | null, deviceId: string): string {
  return serialNumber ?? `~${deviceId}`;
}
