import { sql } from 'drizzle-orm';
import { isHeld } from '../../legal-holds/data/held.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { deleteEnded } from '../../platform/retention.ts';
import { deviceMetricLatest } from './device-metrics-tables.ts';

export interface LatestRow {
  readonly deviceId: string;
  readonly metricId: number;
  readonly day: number;
  readonly value: number;
}

/** Late samples of an earlier day change nothing. */
export async function writeLatest(tx: Transaction, rows: readonly LatestRow[]): Promise<void> {
  if (rows.length === 0) return;
  const given = rowsOf(
    { device_id: 'uuid', metric_id: 'integer', day: 'integer', value: 'float8' },
    rows.map(({ deviceId, metricId, day, value }) => ({
      ...{ device_id: deviceId, metric_id: metricId, day, value },
    })),
  );
  await tx.execute(sql`
    insert into ${deviceMetricLatest} as stored (device_id, metric_id, day, value)
    select given.device_id, given.metric_id, given.day, given.value from ${given} as given
    on conflict (device_id, metric_id) do update set day = excluded.day, value = excluded.value
      where stored.day <= excluded.day`);
}

/** Deletes what was last measured before a day, unless a legal hold covers it. Returns the number of rows. */
export async function deleteLatest(
  database: Pick<Database, 'orm'>,
  beforeDay: number,
): Promise<number> {
  const at = sql`to_timestamp(day::bigint * 86400)`;
  const held = isHeld({ device: sql.identifier('device_id'), at });
  const ended = sql`day < ${beforeDay}::integer and not ${held}`;
  return deleteEnded(database, { table: 'device_metric_latest', ended });
}
