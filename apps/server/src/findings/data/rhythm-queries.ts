import { sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { excluded } from '../../platform/database/excluded.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import type { DeviceRhythm } from '../device-rhythm.ts';
import { deviceRhythm } from './findings-tables.ts';

export async function loadRhythms(
  on: Executor,
  deviceIds: readonly string[],
): Promise<Map<string, DeviceRhythm>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await on
    .select()
    .from(deviceRhythm)
    .where(isAnyOf(deviceRhythm.deviceId, deviceIds));
  return new Map(
    rows.map(({ deviceId, connectedAt, crashes, ...rhythm }) => [
      deviceId,
      {
        ...rhythm,
        connectedAt: connectedAt.map((at) => new Date(at)),
        crashes: crashes.map(({ at, service }) => ({ at: new Date(at), service })),
      },
    ]),
  );
}

const types = {
  device_id: 'uuid',
  absences_seconds: 'text',
  away_since: 'timestamptz',
  connected_at: 'text',
  crashes: 'text',
} as const;

export async function saveRhythms(
  tx: Transaction,
  rhythms: ReadonlyMap<string, DeviceRhythm>,
): Promise<void> {
  if (rhythms.size === 0) return;
  const rows = [...rhythms].map(([id, rhythm]) => ({
    device_id: id,
    absences_seconds: `{${rhythm.absencesSeconds.join(',')}}`,
    away_since: rhythm.awaySince?.toISOString() ?? null,
    connected_at: JSON.stringify(rhythm.connectedAt),
    crashes: JSON.stringify(rhythm.crashes),
  }));
  const { absencesSeconds, awaySince, connectedAt, crashes } = deviceRhythm;
  await tx
    .insert(deviceRhythm)
    .select(
      sql`select device_id, absences_seconds::int[], away_since, connected_at::jsonb, crashes::jsonb
        from ${rowsOf(types, rows)} r order by device_id`,
    )
    .onConflictDoUpdate({
      target: deviceRhythm.deviceId,
      set: {
        absencesSeconds: excluded(absencesSeconds),
        awaySince: excluded(awaySince),
        connectedAt: excluded(connectedAt),
        crashes: excluded(crashes),
      },
    });
}
