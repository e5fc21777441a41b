import type { DeviceMetrics } from '@deviceportal/contract/device-metrics';

/** Samples that the device deleted, and the time without measurements in which they were. */
export interface SampleLoss {
  readonly fromMs: number;
  readonly toMs: number;
  readonly samples: number;
}

/** Each from the last point with values before it, or from the beginning of the time range. */
export const sampleLosses = ({
  from,
  times,
  series,
  losses,
}: Pick<DeviceMetrics, 'from' | 'times' | 'series' | 'losses'>): readonly SampleLoss[] =>
  losses.map(({ before, samples }) => {
    const previous = times.findLastIndex(
      (time, index) => time < before && series.some(({ mean }) => (mean[index] ?? null) !== null),
    );
    return {
      fromMs: Date.parse(times[previous] ?? from),
      toMs: Date.parse(before),
      samples,
    };
  });
