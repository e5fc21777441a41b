import {
  metricDefinitions,
  metricNames,
  type DeviceMetrics,
  type deviceMetricsInput,
  type MetricName,
  type MetricSeries,
} from '@deviceportal/contract/device-metrics';
import { unscaledValue } from '@deviceportal/device-protocol/metric-sample';
import type { z } from 'zod';
import { findDevice } from '../devices/find-device.ts';
import type { Database, Executor } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { readNewestHour } from './data/sample-queries.ts';
import { hourOf, secondsOf } from './metric-time.ts';
import { fitPoints } from './fit-points.ts';
import type { MetricPoints } from './metric-points.ts';
import { readPoints } from './read-points.ts';
import type { MetricRetention } from './schedule-device-metrics.ts';
import { lossesOf } from './sample-losses.ts';
import { readStoredBlocks } from './stored-blocks.ts';

export interface DeviceMetricsDeps {
  readonly database: Database;
  readonly clock: () => Date;
  readonly metrics: {
    readonly retention: MetricRetention;
    /** Null if devices are not asked to measure. */
    readonly sampleSeconds: number | null;
  };
}

/** The metrics of a device in a time range, from the finest data that is stored and needed for it. */
export async function getDeviceMetrics(
  { database, clock, metrics }: DeviceMetricsDeps,
  viewer: Viewer,
  input: z.infer<typeof deviceMetricsInput>,
): Promise<DeviceMetrics> {
  const deviceId = await findDevice(database.orm, viewer, {
    reference: input.deviceId,
    permissions: ['devices:read'],
  });
  const range = { from: Date.parse(input.from) / 1_000, to: Date.parse(input.to) / 1_000 };
  const { retention, sampleSeconds } = metrics;
  const nowSeconds = secondsOf(clock());
  const [{ points, resolution }, newestAt] = await Promise.all([
    readPoints(database.orm, { deviceId, range, points: input.points, nowSeconds, retention }),
    findNewest(database.orm, deviceId, nowSeconds - retention.metricSampleDays * 86_400),
  ]);
  const fitted = fitPoints(points, { range, points: input.points });
  return {
    ...{ from: input.from, to: input.to, resolution, sampleSeconds },
    stepSeconds: fitted.stepSeconds,
    times: fitted.points.times.map(toIso),
    series: toSeries(fitted.points, input.metrics ?? metricNames),
    losses: lossesOf(fitted.points),
    newestAt: newestAt === undefined ? null : toIso(newestAt),
  };
}

const toIso = (seconds: number): string => new Date(seconds * 1_000).toISOString();

async function findNewest(
  on: Executor,
  deviceId: string,
  sinceSeconds: number,
): Promise<number | undefined> {
  const row = await readNewestHour(on, { deviceId, fromHour: hourOf(sinceSeconds) });
  return row && readStoredBlocks(row.samples).times.at(-1);
}

/** Metrics that the device has not measured in this time are absent. */
function toSeries({ metrics }: MetricPoints, wanted: readonly MetricName[]): MetricSeries[] {
  return wanted.flatMap((metric) => {
    const columns = metrics.get(metricDefinitions[metric].id);
    if (columns === undefined || columns.mean.every((value) => value === null)) return [];
    const toValues = (values: readonly (number | null)[]): (number | null)[] =>
      values.map((value) => (value === null ? null : unscaledValue(metric, value)));
    return {
      metric,
      mean: toValues(columns.mean),
      min: toValues(columns.min),
      max: toValues(columns.max),
    };
  });
}
