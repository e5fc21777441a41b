import { BAND_PERCENTILES, LEAST_BAND_DEVICES } from '@deviceportal/contract/model-band';
import type { MetricPoints } from '../metric-points.ts';
import type { BandPlan } from './band-plan.ts';

/** Percentiles of one metric; null where too few devices have a value. */
export interface BandColumns {
  readonly median: readonly (number | null)[];
  readonly low: readonly (number | null)[];
  readonly high: readonly (number | null)[];
}

export interface Band {
  /** Start of each interval, in seconds since 1970. */
  readonly times: readonly number[];
  readonly metrics: ReadonlyMap<number, BandColumns>;
}

/** Percentiles over the means of devices in each interval. Each device counts once. */
export function bandOf(
  devices: readonly MetricPoints[],
  { stepSeconds, range }: Pick<BandPlan, 'stepSeconds' | 'range'>,
): Band {
  const count = Math.max(0, Math.round((range.to - range.from) / stepSeconds));
  const times = Array.from({ length: count }, (_, index) => range.from + index * stepSeconds);
  const collected = new Map<number, number[][]>();
  for (const { times: own, metrics } of devices)
    for (const [id, { mean }] of metrics) {
      const values = collected.get(id) ?? times.map(() => []);
      collected.set(id, values);
      for (const [index, time] of own.entries()) {
        const value = mean[index] ?? null;
        if (value !== null) values[Math.floor((time - range.from) / stepSeconds)]?.push(value);
      }
    }
  const metrics = new Map<number, BandColumns>();
  for (const [id, values] of collected) {
    const sorted = values.map((each) => each.toSorted((one, other) => one - other));
    const at = (percent: number): (number | null)[] =>
      sorted.map((each) => (each.length < LEAST_BAND_DEVICES ? null : percentile(each, percent)));
    const median = at(50);
    if (median.every((value) => value === null)) continue;
    const { low, high } = BAND_PERCENTILES;
    metrics.set(id, { median, low: at(low), high: at(high) });
  }
  return { times, metrics };
}

/** Interpolated between the nearest values of an ascending list. */
function percentile(sorted: readonly number[], percent: number): number {
  const place = ((sorted.length - 1) * percent) / 100;
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? below;
  return Math.round(below + (above - below) * (place - Math.floor(place)));
}
