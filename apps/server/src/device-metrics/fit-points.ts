import { widenPoints, type MetricPoints, type PointColumns } from './metric-points.ts';
import type { SecondsRange } from './read-points.ts';

/** Missing samples show as a gap from this number of usual intervals on. */
const GAP_INTERVALS = 3;
/** Devices that measured less often before must not show gaps everywhere. */
const LEAST_GAP_SECONDS = 600;

/**
 * At most so many points, of equal intervals if there are more. Where nothing was measured, one
 * point without values makes a gap; each gap is between two points with values.
 */
export function fitPoints(
  points: MetricPoints,
  wanted: { readonly range: SecondsRange; readonly points: number },
): { readonly points: MetricPoints; readonly stepSeconds: number } {
  // Every gap needs a point of its own.
  const most = Math.max(1, Math.floor(wanted.points / 2));
  const usual = medianInterval(points.times);
  const isFew = points.times.length <= most;
  const step = isFew ? usual : Math.ceil((wanted.range.to - wanted.range.from) / most);
  const fitted = isFew ? points : widenPoints(points, step);
  const gap = Math.max(GAP_INTERVALS * usual, 2 * step, LEAST_GAP_SECONDS);
  return { points: withGaps(fitted, gap, step), stepSeconds: step };
}

function medianInterval(times: readonly number[]): number {
  const intervals = times.slice(1).map((time, index) => time - (times[index] ?? time));
  intervals.sort((one, other) => one - other);
  return intervals[intervals.length >> 1] ?? 1;
}

function withGaps({ times, metrics }: MetricPoints, gap: number, step: number): MetricPoints {
  const isGapAfter = (index: number): boolean => {
    const next = times[index + 1];
    return next !== undefined && next - (times[index] ?? next) > gap;
  };
  const indexes = times.flatMap((_time, index) => (isGapAfter(index) ? [index, -1] : [index]));
  if (indexes.length === times.length) return { times, metrics };
  const pick = (values: readonly (number | null)[]): (number | null)[] =>
    indexes.map((index) => values[index] ?? null);
  const fill = ({ mean, min, max }: PointColumns): PointColumns => ({
    mean: pick(mean),
    min: pick(min),
    max: pick(max),
  });
  return {
    times: indexes.map((index, place) =>
      index >= 0 ? (times[index] ?? 0) : (times[indexes[place - 1] ?? 0] ?? 0) + step,
    ),
    metrics: new Map([...metrics].map(([id, columns]) => [id, fill(columns)])),
  };
}
