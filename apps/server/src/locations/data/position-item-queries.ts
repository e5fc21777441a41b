import { and, asc, eq, gt, gte, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { ItemKey } from '../../data-sources/feed-source.ts';
import { isHeld } from '../../legal-holds/data/held.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { rowsFor } from '../../platform/database/rows-for.ts';
import { geolocation } from './locations-tables.ts';

const given = alias(geolocation, 'given');
const isGiven = and(eq(geolocation.deviceId, given.deviceId), eq(geolocation.at, given.at));

const rowsOfKeys = (keys: readonly ItemKey[]) =>
  rowsFor(
    given,
    ['deviceId', 'at'],
    keys.map(({ key, sortKey }) => ({ deviceId: key, at: new Date(sortKey) })),
  );

/** Positions by device and time. */
export async function selectPositions(on: Executor, keys: readonly ItemKey[]) {
  if (keys.length === 0) return [];
  const rows = await on
    .select({ row: geolocation })
    .from(rowsOfKeys(keys))
    .innerJoin(geolocation, isGiven);
  return rows.map(({ row }) => row);
}

export async function deletePositions(tx: Transaction, keys: readonly ItemKey[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.execute(sql`delete from ${geolocation} using ${rowsOfKeys(keys)} where ${isGiven}
    and not ${isHeld({ device: geolocation.deviceId, at: geolocation.at })}`);
}

/** Positions since a time, in the order in which they were stored. */
export async function listPositions(
  on: Executor,
  { after, since, limit }: { readonly after: number; readonly since: Date; readonly limit: number },
) {
  return on
    .select({ id: geolocation.id, deviceId: geolocation.deviceId, at: geolocation.at })
    .from(geolocation)
    .where(and(gt(geolocation.id, after), gte(geolocation.at, since)))
    .orderBy(asc(geolocation.id))
    .limit(limit);
}
