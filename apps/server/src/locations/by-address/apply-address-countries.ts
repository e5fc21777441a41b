import { sql } from 'drizzle-orm';
import { countryPlaces } from '@deviceportal/contract/country-places';
import type { Transaction } from '../../platform/database/database.ts';
import { applyPositions, type PositionRow } from '../apply-position.ts';

/** A device that is reached from a country, as its address says. */
export interface AddressCountry {
  readonly deviceId: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly at: Date;
}

/** A place that is confirmed more often than this says the same age again. */
const CONFIRMED_EVERY = "interval '1 hour'";

/**
 * Places of devices of which only the country is known: the middle of it, with a ring as wide as the country. Nothing
 * better is ever replaced, and the history grows only where the country is another one. A handful of statements for
 * however many devices.
 *
 * @returns whose place is another one now
 */
export async function applyAddressCountries(
  tx: Transaction,
  rows: readonly AddressCountry[],
): Promise<string[]> {
  const placed = rows.flatMap(toPosition);
  if (placed.length === 0) return [];
  const input = JSON.stringify(
    placed.map(({ deviceId, country, at }) => ({ device_id: deviceId, country, at })),
  );
  await tx.execute(sql`
    with held as (
      select l.device_id, i.at from jsonb_to_recordset(${input}::jsonb) as i(device_id uuid, country text, at timestamptz)
      join device_location l on l.device_id = i.device_id
      where l.source = 'address' and l.country = i.country and l.at < i.at - ${sql.raw(CONFIRMED_EVERY)}
      order by l.device_id for update of l)
    update device_location l set at = held.at from held where l.device_id = held.device_id`);
  const news = await tx.execute<{ device_id: string }>(sql`
    select i.device_id from jsonb_to_recordset(${input}::jsonb) as i(device_id uuid, country text)
    left join device_location l on l.device_id = i.device_id
    where l.device_id is null or (l.source = 'address' and l.country is distinct from i.country)`);
  const moved = new Set(news.rows.map((row) => row.device_id));
  return applyPositions(
    tx,
    placed.filter(({ deviceId }) => moved.has(deviceId)),
  );
}

function toPosition({ deviceId, country, at }: AddressCountry): PositionRow[] {
  const place = countryPlaces[country];
  if (place === undefined) return [];
  const [latitude, longitude, reachKilometers] = place;
  const accuracyMeters = reachKilometers * 1_000;
  return [{ deviceId, at, latitude, longitude, accuracyMeters, source: 'address', country }];
}
