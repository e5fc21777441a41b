import { sql } from 'drizzle-orm';
import type { PlaceSource } from '@deviceportal/contract/devices';
import type { Transaction } from '../platform/database/database.ts';

export interface PositionRow {
  readonly deviceId: string;
  readonly at: Date;
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracyMeters: number;
  readonly source: PlaceSource;
  /** ISO 3166-1 alpha-2, where known; else the device's own country is kept with the position. */
  readonly country?: string | null;
}

/** A later position takes the place of an earlier one; the country of an address never that of anything better. */
const replaces = sql`case when excluded.source = 'address' then old.source = 'address' and old.at <= excluded.at
  else old.source = 'address' or old.at <= excluded.at end`;

/** Positions of many devices: each into the history, the newest also as the device's place. Answers whose place moved. */
export async function applyPositions(
  tx: Transaction,
  rows: readonly PositionRow[],
): Promise<string[]> {
  if (rows.length === 0) return [];
  const input = sql`(
    select i.device_id, i.at, i.latitude, i.longitude, i.accuracy_meters, i.source, coalesce(i.country, d.country) as country
    from jsonb_to_recordset(${JSON.stringify(rows.map(toInput))}::jsonb) as i(device_id uuid, at timestamptz,
      latitude float8, longitude float8, accuracy_meters float8, source text, country text)
    join device d on d.id = i.device_id) i`;
  await tx.execute(sql`
    insert into geolocation (device_id, at, latitude, longitude, accuracy_meters, source, country)
    select * from ${input} order by i.at`);
  await tx.execute(sql`
    insert into moved_place (device_id)
    select i.device_id from ${input} left join device_location old on old.device_id = i.device_id
    group by i.device_id
    having bool_or(old.device_id is null or old.country is distinct from i.country
      or old.cell_row <> floor(i.latitude * 10 + 0.5) + 900 or old.cell_column <> floor(i.longitude * 10 + 0.5) + 1800)
    order by i.device_id`);
  const moved = await tx.execute<{ device_id: string }>(sql`
    insert into device_location as old (device_id, at, latitude, longitude, accuracy_meters, source, country)
    select distinct on (i.device_id) * from ${input} order by i.device_id, i.at desc
    on conflict (device_id) do update
    set at = excluded.at, latitude = excluded.latitude, longitude = excluded.longitude,
        accuracy_meters = excluded.accuracy_meters, source = excluded.source, country = excluded.country
    where ${replaces}
    returning device_id`);
  return moved.rows.map((row) => row.device_id);
}

const toInput = (row: PositionRow) => ({
  device_id: row.deviceId,
  at: row.at.toISOString(),
  latitude: row.latitude,
  longitude: row.longitude,
  accuracy_meters: row.accuracyMeters,
  source: row.source,
  country: row.country ?? null,
});
