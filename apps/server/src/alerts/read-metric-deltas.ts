import { metricDefinitions } from '@deviceportal/contract/device-metrics';
import { unscaledValue } from '@deviceportal/device-protocol/metric-sample';
import type { AlertCondition } from '@deviceportal/contract/alerts';
import type { MetricPoints } from '../device-metrics/metric-points.ts';
import { QUARTER_HOUR_SECONDS, secondsOf } from '../device-metrics/metric-time.ts';
import { readDevicesPoints } from '../device-metrics/model-band/read-devices-points.ts';
import { sampleWatched, type WatchedDevices } from '../devices/data/search/watched-devices.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { HistoryDelta } from './data/history-deltas.ts';

type MetricCondition = Extract<AlertCondition, { readonly kind: 'metric' }>;

/** Devices whose history is read. Larger sets are estimated from them. */
const SAMPLED = 200;

interface MetricHistory {
  readonly watched: WatchedDevices;
  readonly condition: MetricCondition;
  /** Devices that are watched now. */
  readonly total: number;
  readonly from: Date;
  readonly to: Date;
}

/**
 * How the number of matching devices changed, from the means of quarters of an hour of some of the devices that are
 * watched now, always the same ones.
 */
export async function readMetricDeltas(
  tx: Transaction,
  { watched, condition, total, from, to }: MetricHistory,
): Promise<HistoryDelta[]> {
  const deviceIds = await sampleWatched(tx, watched, SAMPLED);
  if (deviceIds.length === 0) return [];
  const nowSeconds = secondsOf(to);
  const range = { from: Math.floor(secondsOf(from)), to: Math.floor(nowSeconds) };
  const devices = await readDevicesPoints(tx, deviceIds, {
    plan: { source: 'quarter-hour', stepSeconds: QUARTER_HOUR_SECONDS, range },
    nowSeconds,
  });
  const matching = new Map<number, number>();
  for (const points of devices) {
    for (const time of matchingTimes(points, condition)) {
      matching.set(time, (matching.get(time) ?? 0) + 1);
    }
  }
  const deltas: HistoryDelta[] = [];
  let before = 0;
  const first = Math.ceil(range.from / QUARTER_HOUR_SECONDS) * QUARTER_HOUR_SECONDS;
  for (let time = first; time < range.to; time += QUARTER_HOUR_SECONDS) {
    const value = Math.round(((matching.get(time) ?? 0) / deviceIds.length) * total);
    if (value !== before)
      deltas.push({ minute: Math.floor((time - range.from) / 60), delta: value - before });
    before = value;
  }
  return deltas;
}

/** The quarters of an hour in which the mean of a device meets the condition. */
function matchingTimes(
  { times, metrics }: MetricPoints,
  { metric, comparison, value }: MetricCondition,
): readonly number[] {
  const means = metrics.get(metricDefinitions[metric].id)?.mean;
  return times.filter((_, index) => {
    const mean = means?.[index] ?? null;
    if (mean === null) return false;
    const measured = unscaledValue(metric, mean);
    return comparison === 'atLeast' ? measured >= value : measured <= value;
  });
}
