import { sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceMetricNewest } from './device-metrics-tables.ts';

/** The newest sample of each device, for joins and look-ups by `deviceId`. */
export const newestMetrics = new QueryBuilder()
  .select({
    deviceId: deviceMetricNewest.deviceId,
    at: deviceMetricNewest.at,
    values: deviceMetricNewest.values,
  })
  .from(deviceMetricNewest)
  .as('newest_metric');

/** Whether a newest sample says something about the present: two of the longest usual intervals between messages. */
export function isRecentSample(now: Date): SQL {
  return sql`${newestMetrics.at} >= ${Math.floor(now.getTime() / 1_000) - RECENT_SECONDS}::integer`;
}

const RECENT_SECONDS = 1_800;
