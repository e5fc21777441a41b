import { metricDefinitions, metricNames } from '@deviceportal/contract/device-metrics';
import { decodeBlock, encodeBlock } from '@deviceportal/device-protocol/metric-block';
import { mergeBlocks } from '@deviceportal/device-protocol/merge-blocks';
import { unscaledValue } from '@deviceportal/device-protocol/metric-sample';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import type { Logger } from '../platform/logging.ts';
import { Turn } from '../platform/process/turn.ts';
import {
  readMonths,
  takePending,
  writeDays,
  writeMonths,
  type DayRow,
  type MonthRow,
} from './data/point-queries.ts';
import { writeLatest, type LatestRow } from './data/latest-queries.ts';
import { lockRollUp } from './data/lock-roll-up.ts';
import { readSamples, type HourRow } from './data/sample-queries.ts';
import { blockOfPoints, pointsOfSamples, widenPoints } from './metric-points.ts';
import {
  DAY_SECONDS,
  dayOf,
  HOURS_PER_DAY,
  monthOf,
  QUARTER_HOUR_SECONDS,
  secondsOf,
} from './metric-time.ts';
import { readStoredBlocks } from './stored-blocks.ts';

/** Samples of 50 devices of a day are 2 MB. A gateway with late samples of these devices waits for the commit. */
const DEVICES_AT_ONCE = 50;
/** After the end of a day: most devices have sent their last samples then. Later ones roll up the day again. */
const GRACE_SECONDS = 1_800;
export const POINTS_PER_DAY = DAY_SECONDS / QUARTER_HOUR_SECONDS;
export const POINTS_PER_MONTH = 31;

export interface RollUpDependencies {
  readonly database: Database;
  readonly clock: () => Date;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}

/**
 * Rolls up days that have ended. A device whose samples cannot be read is logged and left out.
 * Returns the number of devices and days; 0 when nothing is left.
 */
export async function rollUpSamples({
  database,
  clock,
  logger,
}: RollUpDependencies): Promise<number> {
  const beforeDay = dayOf(secondsOf(clock()) - GRACE_SECONDS);
  return inTransaction(database, async (tx) => {
    // Two servers would write different days of the same month.
    await lockRollUp(tx);
    const taken = await takePending(tx, { beforeDay, limit: DEVICES_AT_ONCE });
    if (taken === undefined) return 0;
    await rollUpDay(tx, taken, logger);
    return taken.deviceIds.length;
  });
}

async function rollUpDay(
  tx: Transaction,
  { day, deviceIds }: { readonly day: number; readonly deviceIds: readonly string[] },
  logger: RollUpDependencies['logger'],
): Promise<void> {
  const hours = await readSamples(tx, {
    deviceIds,
    fromHour: day * HOURS_PER_DAY,
    toHour: (day + 1) * HOURS_PER_DAY,
  });
  const month = monthOf(day);
  const stored = await readMonths(tx, { deviceIds, fromMonth: month, toMonth: month });
  const monthsBefore = new Map(stored.map((row) => [row.deviceId, row.points]));
  const days: DayRow[] = [];
  const months: MonthRow[] = [];
  const latest: LatestRow[] = [];
  const turn = new Turn();
  for (const [deviceId, rows] of Map.groupBy(hours, (row) => row.deviceId)) {
    try {
      const rolledUp = rollUpDevice(rows, monthsBefore.get(deviceId));
      days.push({ deviceId, day, points: rolledUp.day });
      months.push({ deviceId, month, points: rolledUp.month });
      for (const [metricId, value] of rolledUp.means)
        latest.push({ deviceId, metricId, day, value });
    } catch (error) {
      logger.error({ err: error, deviceId, day }, 'metrics of a device not rolled up');
    }
    await turn.pause();
  }
  await writeDays(tx, days);
  await writeMonths(tx, months);
  await writeLatest(tx, latest);
}

/** The points of a day, those of its month with this day, and the means of the day by metric. */
function rollUpDevice(
  hours: readonly HourRow[],
  monthBefore: Uint8Array | undefined,
): {
  readonly day: Uint8Array;
  readonly month: Uint8Array;
  readonly means: readonly (readonly [number, number])[];
} {
  const samples = pointsOfSamples(mergeBlocks(hours.map((row) => readStoredBlocks(row.samples))));
  const known = monthBefore && decodeBlock(monthBefore, { samples: POINTS_PER_MONTH });
  const dayPoints = widenPoints(samples, DAY_SECONDS);
  const wholeDay = blockOfPoints(dayPoints);
  return {
    day: encodeBlock(blockOfPoints(widenPoints(samples, QUARTER_HOUR_SECONDS))),
    month: encodeBlock(mergeBlocks([...(known ? [known] : []), wholeDay])),
    means: metricNames.flatMap((metric) => {
      const { id } = metricDefinitions[metric];
      const mean = dayPoints.metrics.get(id)?.mean[0] ?? null;
      return mean === null ? [] : [[id, unscaledValue(metric, mean)] as const];
    }),
  };
}
