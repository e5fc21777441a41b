import { metricDefinitions, metricNames } from '@deviceportal/contract/device-metrics';
import { filterBlock } from '@deviceportal/device-protocol/merge-blocks';
import type { MetricBlock } from '@deviceportal/device-protocol/metric-block';
import { unscaledValue } from '@deviceportal/device-protocol/metric-sample';
import type { Transaction } from '../platform/database/database.ts';
import { Turn } from '../platform/process/turn.ts';
import {
  addSamples,
  readHours,
  replaceSamples,
  type HourKey,
  type HourRow,
} from './data/sample-queries.ts';
import { writeNewest, type NewestSample } from './data/newest-queries.ts';
import { hourOf } from './metric-time.ts';
import { framedBlock, limitStoredBlocks } from './stored-blocks.ts';

/**
 * Above this, the messages of an hour are merged. A normal hour has 1 to 2 KB, and the most samples
 * of an hour with all metrics, each value as long as possible, are 19 KB: merging always makes room.
 */
const MERGE_ABOVE_BYTES = 24 * 1_024;
/** Bounds the memory of a batch. */
const MERGED_AT_ONCE = 200;

/** Samples of one device. */
export interface DeviceSamples {
  readonly deviceId: string;
  readonly block: MetricBlock;
}

/**
 * Stores the samples of many devices. Storing samples again changes nothing.
 *
 * @returns hours whose samples were more than a device may have; the last ones are not stored
 */
export async function storeSamples(
  tx: Transaction,
  batch: readonly DeviceSamples[],
): Promise<readonly HourKey[]> {
  const turn = new Turn();
  const grown = await addSamples(tx, await toHourRows(batch, turn));
  await writeNewest(tx, batch.flatMap(newestOf));
  const large = grown.filter(({ bytes }) => bytes > MERGE_ABOVE_BYTES);
  const full: HourKey[] = [];
  for (let first = 0; first < large.length; first += MERGED_AT_ONCE)
    full.push(...(await mergeHours(tx, large.slice(first, first + MERGED_AT_ONCE), turn)));
  return full;
}

function newestOf({ deviceId, block: { times, columns } }: DeviceSamples): NewestSample[] {
  const last = times.length - 1;
  const at = times[last];
  if (at === undefined) return [];
  const values = new Map(
    metricNames.flatMap((metric) => {
      const { id } = metricDefinitions[metric];
      const value = columns.get(id)?.[last] ?? null;
      return value === null ? [] : [[id, unscaledValue(metric, value)] as const];
    }),
  );
  return [{ deviceId, at, values }];
}

/** Hours with too many samples. The rows are locked, because they were written before. */
async function mergeHours(
  tx: Transaction,
  hours: readonly HourKey[],
  turn: Turn,
): Promise<HourKey[]> {
  const merged: HourRow[] = [];
  const full: HourKey[] = [];
  for (const row of await readHours(tx, hours)) {
    const { block, isFull } = limitStoredBlocks(row.samples);
    merged.push({ ...row, samples: framedBlock(block) });
    if (isFull) full.push(row);
    await turn.pause();
  }
  await replaceSamples(tx, merged);
  return full;
}

/** Each device and hour once, as PostgreSQL requires of one statement. */
async function toHourRows(batch: readonly DeviceSamples[], turn: Turn): Promise<HourRow[]> {
  const rows = new Map<string, HourKey & { readonly parts: Uint8Array[] }>();
  for (const { deviceId, block } of batch) {
    for (const hour of new Set(block.times.map(hourOf))) {
      const key = `${deviceId}/${hour}`;
      const known = rows.get(key) ?? { deviceId, hour, parts: [] };
      known.parts.push(framedBlock(filterBlock(block, (time) => hourOf(time) === hour)));
      rows.set(key, known);
    }
    await turn.pause();
  }
  return [...rows.values()].map(({ deviceId, hour, parts }) => ({
    ...{ deviceId, hour },
    samples: Buffer.concat(parts),
  }));
}
