import type { MetricResolution } from '@deviceportal/contract/device-metrics';
import { DAY_SECONDS, QUARTER_HOUR_SECONDS } from '../metric-time.ts';
import type { SecondsRange } from '../read-points.ts';
import type { MetricRetention } from '../schedule-device-metrics.ts';

/** What a band is computed from, and its intervals. */
export interface BandPlan {
  readonly source: MetricResolution;
  readonly stepSeconds: number;
  /** Whole intervals that include the wanted range. */
  readonly range: SecondsRange;
}

/** Longer ranges are read from coarser data than for one device: a band reads that of many. */
const MOST_SAMPLE_SECONDS = 2 * DAY_SECONDS;
const MOST_QUARTER_HOUR_SECONDS = 14 * DAY_SECONDS;

/** Slightly more than a client asks for, so that whole intervals fit. */
const MOST_STEPS = 100;
const HOUR_SECONDS = 3_600;
const STEPS = [
  ...[300, QUARTER_HOUR_SECONDS, 1_800, HOUR_SECONDS],
  ...[2 * HOUR_SECONDS, 4 * HOUR_SECONDS, 12 * HOUR_SECONDS],
  ...[1, 2, 5, 10, 20, 40].map((days) => days * DAY_SECONDS),
] as const;

const leastSteps: Readonly<Record<MetricResolution, number>> = {
  sample: 300,
  'quarter-hour': QUARTER_HOUR_SECONDS,
  day: DAY_SECONDS,
};

/** @param sampleSeconds time between two samples of a device: an interval has at least one */
export function planBand(
  range: SecondsRange,
  {
    nowSeconds,
    retention,
    sampleSeconds,
  }: {
    readonly nowSeconds: number;
    readonly retention: MetricRetention;
    readonly sampleSeconds: number;
  },
): BandPlan {
  const seconds = range.to - range.from;
  const ageDays = (nowSeconds - range.from) / DAY_SECONDS;
  const source =
    seconds <= MOST_SAMPLE_SECONDS && ageDays <= retention.metricSampleDays
      ? 'sample'
      : seconds <= MOST_QUARTER_HOUR_SECONDS && ageDays <= retention.metricQuarterHourDays
        ? 'quarter-hour'
        : 'day';
  const least = Math.max(leastSteps[source], 2 * sampleSeconds, seconds / MOST_STEPS);
  const stepSeconds = STEPS.find((step) => step >= least) ?? Math.ceil(least);
  const floor = (time: number): number => Math.floor(time / stepSeconds) * stepSeconds;
  return {
    source,
    stepSeconds,
    range: { from: floor(range.from), to: floor(range.to - 1) + stepSeconds },
  };
}
