import { asc } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import {
  deviceMetricDay,
  deviceMetricHour,
  deviceMetricLatest,
  deviceMetricMonth,
  deviceMetricNewest,
  deviceMetricPending,
} from './device-metrics-tables.ts';

/** Deletes all metrics of devices. Returns the number of rows. */
export async function eraseMetrics(tx: Transaction, deviceIds: readonly string[]): Promise<number> {
  if (deviceIds.length === 0) return 0;
  await lockMetrics(tx, deviceIds);
  let deleted = 0;
  for (const table of [
    deviceMetricHour,
    deviceMetricPending,
    deviceMetricDay,
    deviceMetricMonth,
    deviceMetricLatest,
    deviceMetricNewest,
  ] as const) {
    const { rowCount } = await tx.delete(table).where(isAnyOf(table.deviceId, deviceIds));
    deleted += rowCount ?? 0;
  }
  return deleted;
}

/** In the order of the writers of samples. */
async function lockMetrics(tx: Transaction, deviceIds: readonly string[]): Promise<void> {
  const { deviceId, hour } = deviceMetricHour;
  const { day, deviceId: pendingId } = deviceMetricPending;
  await tx
    .select({ hour })
    .from(deviceMetricHour)
    .where(isAnyOf(deviceId, deviceIds))
    .orderBy(asc(deviceId), asc(hour))
    .for('update');
  await tx
    .select({ day })
    .from(deviceMetricPending)
    .where(isAnyOf(pendingId, deviceIds))
    .orderBy(asc(day), asc(pendingId))
    .for('update');
}
