import { sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../platform/database/database.ts';
import { rowsOf } from '../platform/database/rows-of.ts';
import type { DeviceRhythm } from './device-rhythm.ts';

interface RhythmRow extends Record<string, unknown> {
  readonly device_id: string;
  readonly absences_seconds: number[];
  readonly away_since: string | null;
  readonly connected_at: string[];
  readonly crashes: { at: string; service: string }[];
}

export async function loadRhythms(
  on: Executor,
  deviceIds: readonly string[],
): Promise<Map<string, DeviceRhythm>> {
  if (deviceIds.length === 0) return new Map();
  const { rows } = await on.execute<RhythmRow>(sql`
    select device_id, absences_seconds, away_since, connected_at, crashes from device_rhythm
    where device_id = any(${sql.param([...deviceIds])}::uuid[])`);
  return new Map(
    rows.map((row) => [
      row.device_id,
      {
        absencesSeconds: row.absences_seconds,
        awaySince: row.away_since === null ? null : new Date(row.away_since),
        connectedAt: row.connected_at.map((at) => new Date(at)),
        crashes: row.crashes.map(({ at, service }) => ({ at: new Date(at), service })),
      },
    ]),
  );
}

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
  const types = {
    device_id: 'uuid',
    absences_seconds: 'text',
    away_since: 'timestamptz',
    connected_at: 'text',
    crashes: 'text',
  } as const;
  await tx.execute(sql`
    insert into device_rhythm (device_id, absences_seconds, away_since, connected_at, crashes)
    select device_id, absences_seconds::int[], away_since, connected_at::jsonb, crashes::jsonb
    from ${rowsOf(types, rows)} r order by device_id
    on conflict (device_id) do update
    set absences_seconds = excluded.absences_seconds, away_since = excluded.away_since,
        connected_at = excluded.connected_at, crashes = excluded.crashes`);
}
