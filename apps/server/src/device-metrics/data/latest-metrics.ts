import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceMetricLatest } from './device-metrics-tables.ts';

/** Means of the last day on which a device measured, for joins and look-ups by `deviceId`. */
export const latestMetrics = new QueryBuilder()
  .select({
    deviceId: deviceMetricLatest.deviceId,
    metricId: deviceMetricLatest.metricId,
    day: deviceMetricLatest.day,
    value: deviceMetricLatest.value,
  })
  .from(deviceMetricLatest)
  .as('latest_metric');
