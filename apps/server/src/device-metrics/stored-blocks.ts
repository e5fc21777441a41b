/**
 * Samples as they are stored: one block after the other, each after its length, so that a message is
 * added without reading what is stored.
 */

import {
  decodeBlock,
  encodeBlock,
  type MetricBlock,
} from '@deviceportal/device-protocol/metric-block';
import { filterBlock, mergeBlocks } from '@deviceportal/device-protocol/merge-blocks';
import { BlockReader, BlockWriter } from '@deviceportal/device-protocol/var-int';

/** One every 10 s, and some after commands. */
const MOST_SAMPLES_PER_HOUR = 400;

export function framedBlock(block: MetricBlock): Uint8Array {
  const bytes = encodeBlock(block);
  const writer = new BlockWriter();
  writer.unsigned(bytes.length);
  writer.bytes(bytes);
  return writer.toBytes();
}

/** All samples, in order of time, each once: the first ones, if there are more than allowed. */
export const readStoredBlocks = (stored: Uint8Array): MetricBlock =>
  limitStoredBlocks(stored).block;

/** @property isFull whether there were more samples than allowed */
export function limitStoredBlocks(stored: Uint8Array): {
  readonly block: MetricBlock;
  readonly isFull: boolean;
} {
  const reader = new BlockReader(stored);
  const blocks: MetricBlock[] = [];
  while (reader.left > 0)
    blocks.push(decodeBlock(reader.bytes(reader.unsigned()), { samples: MOST_SAMPLES_PER_HOUR }));
  const merged = mergeBlocks(blocks);
  const firstAbove = merged.times[MOST_SAMPLES_PER_HOUR];
  if (firstAbove === undefined) return { block: merged, isFull: false };
  return { block: filterBlock(merged, (time) => time < firstAbove), isFull: true };
}
