import type { PlaceSource } from '@deviceportal/contract/devices';
import type { Transaction } from '../platform/database/database.ts';
import { queuePositions } from './geolocation-table/queue-positions.ts';
import { insertHistory, queueMoved, upsertPlaces } from './data/position-queries.ts';

export interface PositionRow {
  readonly deviceId: string;
  readonly at: Date;
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracyMeters: number;
  readonly source: PlaceSource;
  /** ISO 3166-1 alpha-2, if known; else the device's own country is stored with the position. */
  readonly country?: string | null;
}

/** Stores positions that were reported here, and queues them for the geolocation table. @returns the devices that moved */
export async function applyPositions(
  tx: Transaction,
  rows: readonly PositionRow[],
): Promise<string[]> {
  const moved = await storePositions(tx, rows);
  await queuePositions(tx, rows);
  return moved;
}

/**
 * Stores positions of many devices: each in the history, the newest also as the device's location. @returns the
 * devices that moved
 */
export async function storePositions(
  tx: Transaction,
  rows: readonly PositionRow[],
): Promise<string[]> {
  if (rows.length === 0) return [];
  const positions = rows.map((row) => ({ ...row, country: row.country ?? null }));
  await insertHistory(tx, positions);
  await queueMoved(tx, positions);
  return upsertPlaces(tx, positions);
}
