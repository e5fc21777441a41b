/**
 * `up/metrics`, binary, QoS 0: the oldest samples that are not acknowledged. Sent again until
 * `down/metrics-ack` names them, which follows the commit. Samples of the same second are the same
 * sample, so that a repeated message changes nothing. Sent only to servers whose connection settings
 * have `metrics`.
 *
 * ```
 * version (1), length and UTF-8 of the instance ID, upTo, dropped, block (metric-block.ts)
 * ```
 */

import { METRIC_SAMPLES_PER_MESSAGE } from '@deviceportal/contract/device-metrics';
import { z } from 'zod';
import { decodeBlock, encodeBlock, type MetricBlock } from './metric-block.ts';
import { BlockReader, BlockWriter } from './var-int.ts';

export interface MetricMessage {
  readonly instanceId: string;
  /** Number of the last sample, by which it is acknowledged. */
  readonly upTo: number;
  /** Samples that the device deleted since it last reported this, because it had no room for them. */
  readonly dropped: number;
  readonly block: MetricBlock;
}

const VERSION = 1;
const MOST_INSTANCE_BYTES = 64;

export function encodeMetricMessage({
  instanceId,
  upTo,
  dropped,
  block,
}: MetricMessage): Uint8Array {
  const id = new TextEncoder().encode(instanceId);
  const writer = new BlockWriter();
  writer.byte(VERSION);
  writer.unsigned(id.length);
  writer.bytes(id);
  writer.unsigned(upTo);
  writer.unsigned(dropped);
  writer.bytes(encodeBlock(block));
  return writer.toBytes();
}

/** @throws RangeError if the bytes are not such a message */
export function decodeMetricMessage(bytes: Uint8Array): MetricMessage {
  const reader = new BlockReader(bytes);
  if (reader.byte() !== VERSION) throw new RangeError('another version');
  const idLength = reader.unsigned();
  if (idLength > MOST_INSTANCE_BYTES) throw new RangeError('instance ID too long');
  const instanceId = decodeText(reader.bytes(idLength));
  const upTo = reader.unsigned();
  const dropped = reader.unsigned();
  const block = decodeBlock(reader.bytes(reader.left), { samples: METRIC_SAMPLES_PER_MESSAGE });
  return { instanceId, upTo, dropped, block };
}

function decodeText(bytes: Uint8Array): string {
  if (bytes.some((byte) => byte < 0x21 || byte > 0x7e)) throw new RangeError('not an instance ID');
  return new TextDecoder().decode(bytes);
}

/** `down/metrics-ack`: all samples up to this number are committed, or refused for good. */
export const metricsAckSchema = z.object({
  upTo: z.int().nonnegative(),
  /** Nothing was stored: the device exceeds its quota and waits before it sends the samples again. */
  waitMs: z.int().positive().max(3_600_000).optional(),
});
export type MetricsAck = z.infer<typeof metricsAckSchema>;
