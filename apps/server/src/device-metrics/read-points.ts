import type { MetricResolution } from '@deviceportal/contract/device-metrics';
import { decodeBlock, type MetricBlock } from '@deviceportal/device-protocol/metric-block';
import { filterBlock, mergeBlocks } from '@deviceportal/device-protocol/merge-blocks';
import type { Executor } from '../platform/database/database.ts';
import { readDays, readMonths } from './data/point-queries.ts';
import { readSamples } from './data/sample-queries.ts';
import {
  blockOfPoints,
  pointsOfBlock,
  pointsOfSamples,
  widenPoints,
  type MetricPoints,
} from './metric-points.ts';
import { DAY_SECONDS, dayOf, hourOf, monthOf, QUARTER_HOUR_SECONDS } from './metric-time.ts';
import { POINTS_PER_DAY, POINTS_PER_MONTH } from './roll-up-samples.ts';
import type { MetricRetention } from './schedule-device-metrics.ts';
import { readStoredBlocks } from './stored-blocks.ts';

/** Seconds since 1970. */
export interface SecondsRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

interface Wanted {
  readonly deviceId: string;
  readonly range: SecondsRange;
  /** How many points are shown. */
  readonly points: number;
  readonly nowSeconds: number;
  readonly retention: MetricRetention;
}

/** A day is rolled up when it has ended; until then, its points are computed from its samples. */
export const LATEST_DAYS = 2;

/** Points in the range, of at most the resolution that is needed. */
export async function readPoints(
  on: Executor,
  wanted: Wanted,
): Promise<{ readonly points: MetricPoints; readonly resolution: MetricResolution }> {
  const resolution = resolutionFor(wanted);
  return { points: await sources[resolution](on, wanted), resolution };
}

function resolutionFor({ range, points, nowSeconds, retention }: Wanted): MetricResolution {
  const step = (range.to - range.from) / points;
  const age = (nowSeconds - range.from) / DAY_SECONDS;
  if (step < QUARTER_HOUR_SECONDS && age <= retention.metricSampleDays) return 'sample';
  if (step < DAY_SECONDS && age <= retention.metricQuarterHourDays) return 'quarter-hour';
  return 'day';
}

const sources: Readonly<
  Record<MetricResolution, (on: Executor, wanted: Wanted) => Promise<MetricPoints>>
> = {
  sample: (on, { deviceId, range }) => readSamplePoints(on, deviceId, range),

  async 'quarter-hour'(on, { deviceId, range, nowSeconds, retention }) {
    const days = await readDays(on, {
      deviceIds: [deviceId],
      fromDay: dayOf(range.from),
      toDay: dayOf(range.to),
    });
    const oldest = dayOf(nowSeconds) - retention.metricSampleDays;
    const from = firstWithout(days, {
      from: Math.max(dayOf(range.from), oldest),
      to: dayOf(nowSeconds) - LATEST_DAYS + 1,
    });
    const samples = await readSamplePoints(on, deviceId, {
      from: Math.max(range.from, from * DAY_SECONDS),
      to: range.to,
    });
    const stored = days
      .filter(({ day }) => day < from)
      .map(({ points }) => decodeBlock(points, { samples: POINTS_PER_DAY }));
    const latest = blockOfPoints(widenPoints(samples, QUARTER_HOUR_SECONDS));
    return pointsWithin([...stored, latest], range, QUARTER_HOUR_SECONDS);
  },

  async day(on, { deviceId, range, nowSeconds }) {
    const latest = (dayOf(nowSeconds) - LATEST_DAYS + 1) * DAY_SECONDS;
    const from = Math.max(dayOf(range.from) * DAY_SECONDS, latest);
    const [months, samples] = await Promise.all([
      readMonths(on, {
        deviceIds: [deviceId],
        fromMonth: monthOf(dayOf(range.from)),
        toMonth: monthOf(dayOf(range.to)),
      }),
      readSamplePoints(on, deviceId, { from, to: range.to }),
    ]);
    const stored = months.map(({ points }) => decodeBlock(points, { samples: POINTS_PER_MONTH }));
    const latestDays = blockOfPoints(widenPoints(samples, DAY_SECONDS));
    return pointsWithin([...stored, latestDays], range, DAY_SECONDS);
  },
};

/** The interval in which the range begins belongs to it. */
const pointsWithin = (
  blocks: readonly MetricBlock[],
  { from, to }: SecondsRange,
  stepSeconds: number,
): MetricPoints =>
  pointsOfBlock(filterBlock(mergeBlocks(blocks), (time) => time > from - stepSeconds && time < to));

/** The first day that is not rolled up, at the latest `to`. */
function firstWithout(
  days: readonly { readonly day: number }[],
  { from, to }: { readonly from: number; readonly to: number },
): number {
  const known = new Set(days.map(({ day }) => day));
  let day = from;
  while (day < to && known.has(day)) day += 1;
  return Math.min(day, to);
}

async function readSamplePoints(
  on: Executor,
  deviceId: string,
  { from, to }: SecondsRange,
): Promise<MetricPoints> {
  if (from >= to) return { times: [], metrics: new Map() };
  const rows = await readSamples(on, {
    deviceIds: [deviceId],
    fromHour: hourOf(from),
    toHour: hourOf(to) + 1,
  });
  const block = mergeBlocks(rows.map(({ samples }) => readStoredBlocks(samples)));
  return pointsOfSamples(filterBlock(block, (time) => time >= from && time < to));
}
