/** What agents measure. Values travel and are stored as integers: the value times `10 ** decimals`. */

import { z } from 'zod';

export const metricUnits = [
  'percent',
  'celsius',
  'milliseconds',
  'decibelMilliwatts',
  'kilobytesPerSecond',
  'count',
  'load',
] as const;
export type MetricUnit = (typeof metricUnits)[number];

export interface MetricDefinition {
  /** On the wire and in the database. Never used again for another metric. */
  readonly id: number;
  readonly unit: MetricUnit;
  readonly decimals: number;
  /** Values outside are not stored. */
  readonly min: number;
  readonly max: number;
}

const percent = (id: number): MetricDefinition => ({
  id,
  unit: 'percent',
  decimals: 1,
  min: 0,
  max: 100,
});

/** A century: a device without a battery for its clock starts in 1970 or 2000. */
const MOST_CLOCK_OFFSET_MS = 100 * 366 * 86_400_000;

/** In the order of the charts. */
export const metricDefinitions = {
  cpuUsedPercent: percent(1),
  loadAverage: { id: 2, unit: 'load', decimals: 2, min: 0, max: 100_000 },
  memoryUsedPercent: percent(3),
  swapUsedPercent: percent(4),
  diskUsedPercent: percent(5),
  temperatureCelsius: { id: 6, unit: 'celsius', decimals: 1, min: -100, max: 250 },
  batteryPercent: percent(7),
  networkLatencyMs: { id: 8, unit: 'milliseconds', decimals: 1, min: 0, max: 600_000 },
  networkLossPercent: percent(9),
  signalDbm: { id: 10, unit: 'decibelMilliwatts', decimals: 0, min: -200, max: 50 },
  receivedKilobytesPerSecond: {
    ...{ id: 11, unit: 'kilobytesPerSecond', decimals: 1, min: 0, max: 1e9 },
  },
  sentKilobytesPerSecond: {
    ...{ id: 12, unit: 'kilobytesPerSecond', decimals: 1, min: 0, max: 1e9 },
  },
  processRestarts: { id: 13, unit: 'count', decimals: 0, min: 0, max: 1_000_000 },
  clockOffsetMs: {
    ...{ id: 14, unit: 'milliseconds', decimals: 0 },
    ...{ min: -MOST_CLOCK_OFFSET_MS, max: MOST_CLOCK_OFFSET_MS },
  },
} as const satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof metricDefinitions;
export const metricNames = Object.keys(metricDefinitions) as readonly MetricName[];

/** Values of one moment. What a device cannot measure is absent. */
export type MetricValues = { readonly [Name in MetricName]?: number };

/** Seconds between two samples. */
export const METRIC_SECONDS_RANGE = { min: 10, max: 3_600, default: 60 } as const;
/** Seconds between two messages with samples. */
export const METRIC_SEND_SECONDS_RANGE = { min: 10, max: 3_600, default: 300 } as const;
/** Of one message. */
export const METRIC_SAMPLES_PER_MESSAGE = 120;
/** A sample is refused if it is further in the future, by the clock of the server. */
export const METRIC_FUTURE_LIMIT_MS = 600_000;

/** Days for which samples, quarters of an hour, and days are stored, unless set otherwise. */
export const METRIC_RETENTION = { sampleDays: 7, quarterHourDays: 90, dayDays: 1_096 } as const;

/** Points of one series in one answer. */
export const METRIC_POINTS_RANGE = { min: 10, max: 1_500, default: 300 } as const;

export const metricResolutions = ['sample', 'quarter-hour', 'day'] as const;
/** What the points of an answer were computed from. */
export type MetricResolution = (typeof metricResolutions)[number];

const MOST_DAYS = 3_660;

/** A device and a time range of its metrics, for schemas with `isMetricRange`. */
export const metricRangeFields = {
  /** ID or serial number. */
  deviceId: z.string().min(1).max(64),
  from: z.iso.datetime({ offset: true }),
  to: z.iso.datetime({ offset: true }),
};

export const isMetricRange = ({
  from,
  to,
}: {
  readonly from: string;
  readonly to: string;
}): boolean => {
  const ms = Date.parse(to) - Date.parse(from);
  return ms > 0 && ms <= MOST_DAYS * 86_400_000;
};

export const metricRangeIssue = {
  path: ['to'],
  message: `must be after from, by at most ${MOST_DAYS} days`,
};

export const deviceMetricsInput = z
  .object({
    ...metricRangeFields,
    /** All if absent. */
    metrics: z.array(z.enum(metricNames)).min(1).max(metricNames.length).optional(),
    points: z
      .int()
      .min(METRIC_POINTS_RANGE.min)
      .max(METRIC_POINTS_RANGE.max)
      .default(METRIC_POINTS_RANGE.default),
  })
  .refine(isMetricRange, metricRangeIssue);

export interface MetricSeries {
  readonly metric: MetricName;
  /** One for each point of time; null where nothing was measured. */
  readonly mean: readonly (number | null)[];
  readonly min: readonly (number | null)[];
  readonly max: readonly (number | null)[];
}

/** Samples that the device deleted because it had no room for them. */
export interface MetricLoss {
  /** The first point after them, ISO 8601. */
  readonly before: string;
  readonly samples: number;
}

export interface DeviceMetrics {
  readonly from: string;
  readonly to: string;
  readonly resolution: MetricResolution;
  /** Between two points. */
  readonly stepSeconds: number;
  /** Start of each point's interval, ISO 8601. */
  readonly times: readonly string[];
  readonly series: readonly MetricSeries[];
  readonly losses: readonly MetricLoss[];
  /** The newest sample of the device; null if it has none. */
  readonly newestAt: string | null;
  /** Whether agents are asked to measure, and how often; null if metrics are switched off. */
  readonly sampleSeconds: number | null;
}
