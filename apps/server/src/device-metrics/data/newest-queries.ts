import { sql } from 'drizzle-orm';
import { metricDefinitions } from '@deviceportal/contract/device-metrics';
import type { Transaction } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { deviceMetricNewest } from './device-metrics-tables.ts';

export interface NewestSample {
  readonly deviceId: string;
  /** Seconds since 1970. */
  readonly at: number;
  /** By the ID of the metric. */
  readonly values: ReadonlyMap<number, number>;
}

const ids = Array.from(
  { length: Math.max(...Object.values(metricDefinitions).map(({ id }) => id)) },
  (_, index) => index + 1,
);
const columnOf = (id: number): string => `value_${id}`;
const columns = Object.fromEntries(ids.map((id) => [columnOf(id), 'float8' as const]));
const valuesOfGiven = sql.join(
  ids.map((id) => sql`given.${sql.identifier(columnOf(id))}`),
  sql`, `,
);

/** Older samples, which a device sends after an outage, change nothing. */
export async function writeNewest(
  tx: Transaction,
  samples: readonly NewestSample[],
): Promise<void> {
  if (samples.length === 0) return;
  // Of several messages of a device in a batch, the newest.
  const byDevice = new Map<string, NewestSample>();
  for (const sample of samples) {
    if ((byDevice.get(sample.deviceId)?.at ?? -Infinity) < sample.at) {
      byDevice.set(sample.deviceId, sample);
    }
  }
  const rows = [...byDevice.values()].map(({ deviceId, at, values }) => ({
    ...{ device_id: deviceId, at },
    ...Object.fromEntries(ids.map((id) => [columnOf(id), values.get(id) ?? null])),
  }));
  const types: Readonly<Record<string, 'uuid' | 'integer' | 'float8'>> = {
    ...{ device_id: 'uuid', at: 'integer' },
    ...columns,
  };
  await tx.execute(sql`
    insert into ${deviceMetricNewest} as stored (device_id, at, "values")
    select given.device_id, given.at, array[${valuesOfGiven}] from ${rowsOf(types, rows)} as given
      order by given.device_id
    on conflict (device_id) do update set at = excluded.at, "values" = excluded."values"
      where stored.at <= excluded.at`);
}
