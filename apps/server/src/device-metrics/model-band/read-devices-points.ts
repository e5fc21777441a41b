import type { MetricResolution } from '@deviceportal/contract/device-metrics';
import { decodeBlock, type MetricBlock } from '@deviceportal/device-protocol/metric-block';
import { filterBlock, mergeBlocks } from '@deviceportal/device-protocol/merge-blocks';
import type { Executor } from '../../platform/database/database.ts';
import { Turn } from '../../platform/process/turn.ts';
import { readDays, readMonths } from '../data/point-queries.ts';
import { readSamples, type HourRow } from '../data/sample-queries.ts';
import {
  blockOfPoints,
  pointsOfBlock,
  pointsOfSamples,
  widenPoints,
  type MetricPoints,
} from '../metric-points.ts';
import { DAY_SECONDS, dayOf, hourOf, monthOf, QUARTER_HOUR_SECONDS } from '../metric-time.ts';
import { LATEST_DAYS, type SecondsRange } from '../read-points.ts';
import { POINTS_PER_DAY, POINTS_PER_MONTH } from '../roll-up-samples.ts';
import { readStoredBlocks } from '../stored-blocks.ts';
import type { BandPlan } from './band-plan.ts';

/** Bounds the memory: two days of samples of a device are 80 kB. */
const DEVICES_AT_ONCE = 20;

/**
 * Points of devices in the intervals of a band. Devices without values, and devices whose stored
 * metrics cannot be read, are absent.
 */
export async function readDevicesPoints(
  on: Executor,
  deviceIds: readonly string[],
  { plan, nowSeconds }: { readonly plan: BandPlan; readonly nowSeconds: number },
): Promise<MetricPoints[]> {
  // A day is rolled up when it has ended.
  const firstLatestDay = dayOf(nowSeconds) - LATEST_DAYS + 1;
  const found: MetricPoints[] = [];
  const turn = new Turn();
  for (let first = 0; first < deviceIds.length; first += DEVICES_AT_ONCE) {
    const some = deviceIds.slice(first, first + DEVICES_AT_ONCE);
    const rolledUp = Map.groupBy(
      await rolledUpReaders[plan.source](on, { deviceIds: some, plan, firstLatestDay }),
      ({ deviceId }) => deviceId,
    );
    const sampled = Map.groupBy(
      await readSampleRows(on, { deviceIds: some, range: sampleRange(plan, firstLatestDay) }),
      ({ deviceId }) => deviceId,
    );
    for (const deviceId of some) {
      const rows = { rolledUp: rolledUp.get(deviceId) ?? [], sampled: sampled.get(deviceId) ?? [] };
      const points = toPoints(rows, plan);
      if (points !== undefined && points.times.length > 0) found.push(points);
      await turn.pause();
    }
  }
  return found;
}

/** Rolled-up points of a device, as stored. */
interface RolledUpRow {
  readonly deviceId: string;
  readonly read: () => MetricBlock;
}

interface Wanted {
  readonly deviceIds: readonly string[];
  readonly plan: BandPlan;
  readonly firstLatestDay: number;
}

const rolledUpReaders: Readonly<
  Record<MetricResolution, (on: Executor, wanted: Wanted) => Promise<readonly RolledUpRow[]>>
> = {
  sample: () => Promise.resolve([]),

  async 'quarter-hour'(on, { deviceIds, plan: { range }, firstLatestDay }) {
    const rows = await readDays(on, {
      deviceIds,
      fromDay: dayOf(range.from),
      toDay: Math.min(dayOf(range.to - 1), firstLatestDay - 1),
    });
    return rows.map(({ deviceId, points }) => ({
      deviceId,
      read: () => decodeBlock(points, { samples: POINTS_PER_DAY }),
    }));
  },

  async day(on, { deviceIds, plan: { range }, firstLatestDay }) {
    const rows = await readMonths(on, {
      deviceIds,
      fromMonth: monthOf(dayOf(range.from)),
      toMonth: monthOf(dayOf(range.to - 1)),
    });
    const end = firstLatestDay * DAY_SECONDS;
    return rows.map(({ deviceId, points }) => ({
      deviceId,
      read: () =>
        filterBlock(decodeBlock(points, { samples: POINTS_PER_MONTH }), (time) => time < end),
    }));
  },
};

/** Only the days that may not be rolled up are read from samples, unless the whole range is. */
const sampleRange = ({ source, range }: BandPlan, firstLatestDay: number): SecondsRange =>
  source === 'sample'
    ? range
    : { from: Math.max(range.from, firstLatestDay * DAY_SECONDS), to: range.to };

async function readSampleRows(
  on: Executor,
  { deviceIds, range }: { readonly deviceIds: readonly string[]; readonly range: SecondsRange },
): Promise<readonly HourRow[]> {
  if (range.from >= range.to) return [];
  return readSamples(on, {
    deviceIds,
    fromHour: hourOf(range.from),
    toHour: hourOf(range.to - 1) + 1,
  });
}

function toPoints(
  rows: { readonly rolledUp: readonly RolledUpRow[]; readonly sampled: readonly HourRow[] },
  { source, range, stepSeconds }: BandPlan,
): MetricPoints | undefined {
  try {
    const samples = mergeBlocks(rows.sampled.map((row) => readStoredBlocks(row.samples)));
    const block =
      source === 'sample'
        ? samples
        : mergeBlocks([...rows.rolledUp.map(({ read }) => read()), widened(samples, source)]);
    const within = filterBlock(block, (time) => time >= range.from && time < range.to);
    return widenPoints(pointsOfBlock(within), stepSeconds);
  } catch (error) {
    // The roll-up logs it.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** As they will be rolled up, so that every interval counts the same. */
const widened = (samples: MetricBlock, source: 'quarter-hour' | 'day'): MetricBlock =>
  blockOfPoints(
    widenPoints(pointsOfSamples(samples), source === 'day' ? DAY_SECONDS : QUARTER_HOUR_SECONDS),
  );
