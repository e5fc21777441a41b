import { z } from 'zod';
import {
  isMetricRange,
  metricRangeFields,
  metricRangeIssue,
  type MetricName,
} from './device-metrics.ts';

/** The band reaches from the first to the last of these percentiles. */
export const BAND_PERCENTILES = { low: 10, high: 90 } as const;
/** Fewer devices with a value have no band: percentiles of them would be the values of single devices. */
export const LEAST_BAND_DEVICES = 10;
/** A sample of so many devices of the model estimates the percentiles to a few percent of the ranks. */
export const MOST_BAND_DEVICES = 100;

export const modelBandInput = z.object(metricRangeFields).refine(isMetricRange, metricRangeIssue);

/** What the devices of the model measured: percentiles over the means of the devices. */
export interface MetricBand {
  readonly metric: MetricName;
  /** One for each point of time; null where fewer than `LEAST_BAND_DEVICES` devices have a value. */
  readonly median: readonly (number | null)[];
  readonly low: readonly (number | null)[];
  readonly high: readonly (number | null)[];
}

export interface ModelBand {
  /** Null if the model of the device is not known. */
  readonly model: string | null;
  /**
   * Number of compared devices of the model within the viewer's scope that have values in the time
   * range; at most `MOST_BAND_DEVICES`, without the device itself.
   */
  readonly devices: number;
  readonly stepSeconds: number;
  /** Start of each interval, ISO 8601. */
  readonly times: readonly string[];
  /** Metrics of which no interval has a band are absent. */
  readonly series: readonly MetricBand[];
}
