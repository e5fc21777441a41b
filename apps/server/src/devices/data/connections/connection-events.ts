import { asc, sql } from 'drizzle-orm';
import type { Transaction } from '../../../platform/database/database.ts';
import { excluded } from '../../../platform/database/excluded.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { connectionEvent } from '../devices-tables.ts';

export type ConnectionEventRow = typeof connectionEvent.$inferSelect;

const { deviceId, version, at, isConnected } = connectionEvent;

/** The newest known events of devices, locked in the order of IDs. */
export async function lockConnectionEvents(
  tx: Transaction,
  deviceIds: readonly string[],
): Promise<Map<string, ConnectionEventRow>> {
  const rows = await tx
    .select()
    .from(connectionEvent)
    .where(isAnyOf(deviceId, deviceIds))
    .orderBy(asc(deviceId))
    .for('update');
  return new Map(rows.map((row) => [row.deviceId, row]));
}

/** @param rows one for each device */
export async function writeConnectionEvents(
  tx: Transaction,
  rows: readonly ConnectionEventRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insert(connectionEvent)
    .values(rows.toSorted((one, other) => (one.deviceId < other.deviceId ? -1 : 1)))
    .onConflictDoUpdate({
      target: deviceId,
      set: {
        version: excluded(version),
        at: excluded(at),
        isConnected: sql`${excluded(isConnected)}`,
      },
    });
}

/** The newest known events of devices. */
export async function findConnectionEvents(
  tx: Transaction,
  deviceIds: readonly string[],
): Promise<Map<string, ConnectionEventRow>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await tx.select().from(connectionEvent).where(isAnyOf(deviceId, deviceIds));
  return new Map(rows.map((row) => [row.deviceId, row]));
}
