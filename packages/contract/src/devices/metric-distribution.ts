import { z } from 'zod';
import { metricNames, type MetricName } from './device-metrics.ts';

export const metricGroupings = ['model', 'version', 'country'] as const;
export type MetricGrouping = (typeof metricGroupings)[number];

/** A value is the mean of the last day on which the device measured; older ones are not current. */
export const METRIC_CURRENT_DAYS = 7;
/** Devices of a distribution: of larger fleets a random sample, which is always the same. */
export const MOST_DISTRIBUTION_DEVICES = 10_000;
/** Smaller groups have no meaningful distribution. */
export const LEAST_GROUP_DEVICES = 10;
export const MOST_DISTRIBUTION_GROUPS = 50;

export const metricDistributionInput = z.object({
  metric: z.enum(metricNames),
  by: z.enum(metricGroupings),
});

/** How the values of a group are distributed. */
export interface MetricGroup {
  /** The model, the version of a component, or the country. */
  readonly name: string;
  /** For versions; null for others. */
  readonly component: string | null;
  readonly devices: number;
  readonly low: number;
  readonly firstQuartile: number;
  readonly median: number;
  readonly thirdQuartile: number;
  readonly high: number;
  /** Values outside are outliers: 1.5 times the range between the quartiles away from them. */
  readonly lowerFence: number;
  readonly upperFence: number;
  readonly below: number;
  readonly above: number;
}

export interface MetricDistribution {
  readonly metric: MetricName;
  /** Devices within the viewer's scope with a current value, of those that were examined. */
  readonly devices: number;
  /** Whether there are more devices than were examined. */
  readonly isSample: boolean;
  /** The largest first; at most `MOST_DISTRIBUTION_GROUPS`. */
  readonly groups: readonly MetricGroup[];
}

/** The value of a filter by a metric: `cpuUsedPercent:90`. */
export const metricLimitOf = (
  text: string,
): { readonly metric: MetricName; readonly limit: number } | undefined => {
  const colon = text.indexOf(':');
  const metric = metricNames.find((name) => name === text.slice(0, colon));
  const digits = text.slice(colon + 1);
  if (metric === undefined || !/^-?\d{1,13}(\.\d{1,6})?$/.test(digits)) return undefined;
  return { metric, limit: Number(digits) };
};
