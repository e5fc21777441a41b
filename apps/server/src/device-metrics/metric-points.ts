/** Mean, minimum, and maximum of intervals, as blocks: three columns per metric. */

import type { MetricBlock } from '@deviceportal/device-protocol/metric-block';

/** Of each metric, in intervals of time. */
export interface MetricPoints {
  /** Start of each interval, in seconds since 1970. */
  readonly times: readonly number[];
  readonly metrics: ReadonlyMap<number, PointColumns>;
}

export interface PointColumns {
  readonly mean: readonly (number | null)[];
  readonly min: readonly (number | null)[];
  readonly max: readonly (number | null)[];
}

/** Stored as distances from the mean, which are short. */
const BELOW_MEAN = 1_000;
const ABOVE_MEAN = 2_000;

export function blockOfPoints({ times, metrics }: MetricPoints): MetricBlock {
  const columns = new Map<number, readonly (number | null)[]>();
  for (const [id, { mean, min, max }] of metrics) {
    columns.set(id, mean);
    columns.set(id + BELOW_MEAN, differences(mean, min));
    columns.set(id + ABOVE_MEAN, differences(max, mean));
  }
  return { times, columns };
}

const differences = (
  larger: readonly (number | null)[],
  smaller: readonly (number | null)[],
): (number | null)[] =>
  larger.map((value, index) => {
    const other = smaller[index] ?? null;
    return value === null || other === null ? null : value - other;
  });

export function pointsOfBlock({ times, columns }: MetricBlock): MetricPoints {
  const metrics = new Map<number, PointColumns>();
  for (const [id, mean] of columns) {
    if (id >= BELOW_MEAN) continue;
    const away = (column: number, sign: 1 | -1): (number | null)[] =>
      mean.map((value, index) =>
        value === null ? null : value + sign * (columns.get(id + column)?.[index] ?? 0),
      );
    metrics.set(id, { mean, min: away(BELOW_MEAN, -1), max: away(ABOVE_MEAN, 1) });
  }
  return { times, metrics };
}

/** Samples as points of themselves. */
export const pointsOfSamples = ({ times, columns }: MetricBlock): MetricPoints => ({
  times,
  metrics: new Map([...columns].map(([id, mean]) => [id, { mean, min: mean, max: mean }])),
});

/** Points of longer intervals. Intervals without values are absent. */
export function widenPoints(points: MetricPoints, stepSeconds: number): MetricPoints {
  const groups = groupsOf(points.times, stepSeconds);
  const metrics = new Map<number, PointColumns>();
  for (const [id, columns] of points.metrics) {
    const widened = groups.map(({ from, to }) => widenedPoint(columns, from, to));
    metrics.set(id, {
      mean: widened.map(({ mean }) => mean),
      min: widened.map(({ min }) => min),
      max: widened.map(({ max }) => max),
    });
  }
  return { times: groups.map(({ start }) => start), metrics };
}

interface Group {
  readonly start: number;
  readonly from: number;
  to: number;
}

function groupsOf(times: readonly number[], stepSeconds: number): readonly Group[] {
  const groups: Group[] = [];
  for (const [index, time] of times.entries()) {
    const start = Math.floor(time / stepSeconds) * stepSeconds;
    const last = groups.at(-1);
    if (last?.start === start) last.to = index + 1;
    else groups.push({ start, from: index, to: index + 1 });
  }
  return groups;
}

function widenedPoint({ mean, min, max }: PointColumns, from: number, to: number) {
  let [sum, count, least, most] = [0, 0, Infinity, -Infinity];
  for (let index = from; index < to; index += 1) {
    const value = mean[index] ?? null;
    if (value === null) continue;
    sum += value;
    count += 1;
    least = Math.min(least, min[index] ?? value);
    most = Math.max(most, max[index] ?? value);
  }
  if (count === 0) return { mean: null, min: null, max: null };
  return { mean: Math.round(sum / count), min: least, max: most };
}
