/**
 * How many samples a device deleted because it had no room for them: stored like a metric, at the
 * first sample after them. Rolled up, kept, and erased with the samples. Devices cannot send it as a
 * metric.
 */

import type { MetricLoss } from '@deviceportal/contract/device-metrics';
import type { MetricBlock } from '@deviceportal/device-protocol/metric-block';
import type { MetricPoints } from './metric-points.ts';

/** Not the ID of a metric, and below those of minimum and maximum. */
const LOSS_ID = 900;
/** A century of samples. */
const MOST_SAMPLES = 1e9;

export function withLoss(block: MetricBlock, samples: number): MetricBlock {
  if (samples === 0 || block.times.length === 0) return block;
  const column = block.times.map((_time, index) =>
    index === 0 ? Math.min(samples, MOST_SAMPLES) : null,
  );
  return { times: block.times, columns: new Map([...block.columns, [LOSS_ID, column]]) };
}

/** In order of time. Of several losses in one interval, at least the largest. */
export const lossesOf = ({ times, metrics }: MetricPoints): readonly MetricLoss[] =>
  (metrics.get(LOSS_ID)?.max ?? []).flatMap((samples, index) => {
    const time = times[index];
    return samples === null || time === undefined
      ? []
      : [{ before: new Date(time * 1_000).toISOString(), samples }];
  });
