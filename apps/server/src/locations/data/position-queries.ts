import { and, asc, desc, eq, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { columnNames } from '../../platform/database/column-names.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { excluded, setExcluded } from '../../platform/database/excluded.ts';
import { rowsFor } from '../../platform/database/rows-for.ts';
import { deviceLocation, geolocation, movedPlace } from './locations-tables.ts';

/** A reported position. Without a country, the device's own is stored with it. */
export type ReportedPosition = Omit<typeof geolocation.$inferSelect, 'id'>;

const given = alias(geolocation, 'given');
const keys = [
  ...(['deviceId', 'at', 'latitude', 'longitude', 'accuracyMeters', 'source', 'country'] as const),
] as const;
const { deviceId, at, source } = deviceLocation;
const country = sql`coalesce(${given.country}, ${deviceRecords.country})`;

/** The columns of a position, in the order of `keys`. */
const position = sql.join(
  keys.map((key) => (key === 'country' ? country : sql`${given[key]}`)),
  sql`, `,
);

/** Only of registered devices. */
const reported = (rows: readonly ReportedPosition[]): SQL =>
  sql`${rowsFor(given, keys, rows)} join ${deviceRecords} on ${deviceRecords.deviceId} = ${given.deviceId}`;

export async function insertHistory(
  tx: Transaction,
  rows: readonly ReportedPosition[],
): Promise<void> {
  await tx.execute(sql`
    insert into ${geolocation} (${columnNames(...keys.map((key) => geolocation[key]))})
    select ${position} from ${reported(rows)} order by ${given.at}`);
}

/** Queues the devices that a position moves to another cell or country, to be recounted. */
export async function queueMoved(
  tx: Transaction,
  rows: readonly ReportedPosition[],
): Promise<void> {
  const { cellRow, cellColumn } = deviceLocation;
  await tx.execute(sql`
    insert into ${movedPlace} (${columnNames(movedPlace.deviceId)})
    select ${given.deviceId} from ${reported(rows)} left join ${deviceLocation} on ${deviceId} = ${given.deviceId}
    group by ${given.deviceId}
    having bool_or(${deviceId} is null or ${deviceLocation.country} is distinct from ${country}
      or ${cellRow} <> floor(${given.latitude} * 10 + 0.5) + 900
      or ${cellColumn} <> floor(${given.longitude} * 10 + 0.5) + 1800)
    order by ${given.deviceId}`);
}

/** A later position replaces an earlier one; the country of an address never replaces anything more precise. */
const isOlder = sql`${at} <= ${excluded(at)}`;
const replaces = sql`case when ${excluded(source)} = 'address' then ${source} = 'address' and ${isOlder}
  else ${source} = 'address' or ${isOlder} end`;

/** @returns the devices whose location changed */
export async function upsertPlaces(
  tx: Transaction,
  rows: readonly ReportedPosition[],
): Promise<string[]> {
  const moved = await tx.execute<Pick<ReportedPosition, 'deviceId'>>(sql`
    insert into ${deviceLocation} (${columnNames(...keys.map((key) => deviceLocation[key]))})
    select distinct on (${given.deviceId}) ${position} from ${reported(rows)}
    order by ${given.deviceId}, ${given.source} = 'address', ${given.at} desc
    on conflict (${columnNames(deviceId)}) do update
    set ${setExcluded(deviceLocation, ['at', 'latitude', 'longitude', 'accuracyMeters', 'source', 'country'])}
    where ${replaces}
    returning ${deviceId} as "deviceId"`);
  return moved.rows.map((row) => row.deviceId);
}

/** The country of a device's address. */
export type AddressPlace = Pick<typeof deviceLocation.$inferInsert, 'deviceId' | 'at'> & {
  readonly country: string;
};

/** A location that is confirmed more often than this keeps its time. */
const CONFIRMED_EVERY = sql`interval '1 hour'`;

/** Renews the time of locations derived from an address whose country is unchanged. Locks in the order of ids. */
export async function confirmAddressPlaces(
  tx: Transaction,
  rows: readonly AddressPlace[],
): Promise<void> {
  const seen = alias(deviceLocation, 'seen');
  const held = tx.$with('held').as(
    tx
      .select({ deviceId: sql<string>`${deviceId}`.as('id'), at: sql`${seen.at}`.as('seen_at') })
      .from(rowsFor(seen, ['deviceId', 'country', 'at'], rows))
      .innerJoin(deviceLocation, eq(deviceId, seen.deviceId))
      .where(
        and(
          eq(source, 'address'),
          eq(deviceLocation.country, seen.country),
          sql`${at} < ${seen.at} - ${CONFIRMED_EVERY}`,
        ),
      )
      .orderBy(asc(deviceId))
      .for('update', { of: deviceLocation }),
  );
  await tx
    .with(held)
    .update(deviceLocation)
    .set({ at: sql`${held.at}` })
    .from(held)
    .where(eq(deviceId, held.deviceId));
}

/** Devices without a location, and those whose previous address was in another country. */
export async function findAddressMoves(
  on: Executor,
  rows: readonly AddressPlace[],
): Promise<string[]> {
  const seen = alias(deviceLocation, 'seen');
  const found = await on
    .select({ deviceId: seen.deviceId })
    .from(rowsFor(seen, ['deviceId', 'country'], rows))
    .leftJoin(deviceLocation, eq(deviceId, seen.deviceId))
    .where(
      sql`${deviceId} is null
        or (${source} = 'address' and ${deviceLocation.country} is distinct from ${seen.country})`,
    );
  return found.map((row) => row.deviceId);
}

/** The location history of a device, newest first. */
export async function selectTrack(on: Executor, id: string, limit: number) {
  return on
    .select({
      at: geolocation.at,
      latitude: geolocation.latitude,
      longitude: geolocation.longitude,
      accuracyMeters: geolocation.accuracyMeters,
      source: geolocation.source,
      country: geolocation.country,
    })
    .from(geolocation)
    .where(eq(geolocation.deviceId, id))
    .orderBy(desc(geolocation.at), desc(geolocation.id))
    .limit(limit);
}
