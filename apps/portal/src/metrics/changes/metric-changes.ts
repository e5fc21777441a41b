import {
  metricDefinitions,
  type DeviceMetrics,
  type MetricName,
  type MetricSeries,
  type MetricUnit,
} from '@deviceportal/contract/device-metrics';
import type { MetricMark } from '../use-metric-marks.ts';
import { findLevelShifts } from './find-level-shifts.ts';

/** A metric went to another level and stayed there. */
export interface MetricChange {
  readonly metric: MetricName;
  /** The last point before, and the first one at the new level. */
  readonly sinceMs: number;
  readonly atMs: number;
  readonly before: number;
  readonly after: number;
}

/** Changes at about the same time, and what happened on the device before. */
export interface ChangeGroup {
  readonly sinceMs: number;
  readonly atMs: number;
  readonly changes: readonly [MetricChange, ...MetricChange[]];
  /** Newest first. */
  readonly causes: readonly MetricMark[];
}

/** What happened so long before a change may have caused it. */
export const CAUSE_MS = 3_600_000;

const DAY_MS = 86_400_000;
const LEAST_POINTS = 5;
/** In longer time ranges, days have so few points that mornings and evenings would be abrupt. */
const RHYTHM_MS = 2 * DAY_MS;

/** Smaller changes are not of interest. */
const leastShifts: Readonly<Record<MetricUnit, number>> = {
  percent: 3,
  celsius: 2,
  milliseconds: 10,
  decibelMilliwatts: 4,
  kilobytesPerSecond: 5,
  count: 1,
  load: 0.2,
};

/** The changes of all metrics in a time range, in order of time. */
export function changesOf({
  from,
  to,
  times,
  stepSeconds,
  series,
}: Omit<
  DeviceMetrics,
  'losses' | 'newestAt' | 'resolution' | 'sampleSeconds'
>): readonly MetricChange[] {
  const isLong = Date.parse(to) - Date.parse(from) > RHYTHM_MS;
  const leastPoints = isLong
    ? Math.max(LEAST_POINTS, Math.ceil(DAY_MS / 1_000 / stepSeconds))
    : LEAST_POINTS;
  return series
    .flatMap((each) => changesOfSeries(times, each, leastPoints))
    .toSorted((one, other) => one.atMs - other.atMs);
}

function changesOfSeries(
  times: readonly string[],
  { metric, mean }: Pick<MetricSeries, 'metric' | 'mean'>,
  leastPoints: number,
): readonly MetricChange[] {
  const leastShift = leastShifts[metricDefinitions[metric].unit];
  return findLevelShifts(mean, { leastShift, leastPoints }).map(({ index, before, after }) => {
    const previous = mean.findLastIndex((value, place) => place < index && value !== null);
    const atMs = Date.parse(times[index] ?? '');
    return { metric, sinceMs: Date.parse(times[previous] ?? ''), atMs, before, after };
  });
}

/** Newest first. */
export function groupChanges(
  changes: readonly MetricChange[],
  marks: readonly MetricMark[],
  stepMs: number,
): readonly ChangeGroup[] {
  const groups: [MetricChange, ...MetricChange[]][] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    // The same cause shows in one metric an interval earlier than in another.
    if (last !== undefined && change.sinceMs - last[0].atMs <= stepMs) last.push(change);
    else groups.push([change]);
  }
  return groups.toReversed().map((group) => {
    const sinceMs = Math.min(...group.map((change) => change.sinceMs));
    const endMs = Math.max(...group.map(({ atMs }) => atMs)) + stepMs;
    const causes = marks.filter((mark) => mark.atMs >= sinceMs - CAUSE_MS && mark.atMs < endMs);
    return { sinceMs, atMs: group[0].atMs, changes: group, causes: causes.toReversed() };
  });
}
