/**
 * Samples as bytes: one column per metric, each with its first value and the differences between
 * consecutive values. The same on the wire, in the state directory of the agent, and in the
 * database.
 *
 * ```
 * count, first time, [second − first time], [change of the difference …]
 * columns, then each: metric's difference to the previous one × 4 + isConstant × 2 + hasGaps,
 *   [one bit per sample: whether it has a value], first value, [difference …]
 * ```
 *
 * A value costs at least one byte unless all values of its column are equal, so that the number of
 * samples bounds what a block can become.
 */

import { BlockReader, BlockWriter } from './var-int.ts';

export interface MetricBlock {
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  /** By the ID of the metric: one integer per sample, null if it was not measured. */
  readonly columns: ReadonlyMap<number, readonly (number | null)[]>;
}

export interface BlockLimits {
  readonly samples: number;
}

/** More than there are metrics, for agents of later releases. */
const MOST_COLUMNS = 64;
const MOST_METRIC_ID = 4_096;
/** Keeps every sum of two values a safe integer. */
const MOST_VALUE = 2 ** 51;
/** 2024-01-01: later times are short. */
const EPOCH_SECONDS = 1_704_067_200;

/** @throws RangeError if a time or value is not an integer, or times do not ascend */
export function encodeBlock({ times, columns }: MetricBlock): Uint8Array {
  const writer = new BlockWriter();
  writer.unsigned(times.length);
  writeTimes(writer, times);
  const present = [...columns]
    .filter(([, values]) => values.some((value) => value !== null))
    .toSorted(([one], [other]) => one - other);
  writer.unsigned(present.length);
  let before = 0;
  for (const [id, values] of present) {
    if (values.length !== times.length) throw new RangeError('a column has another length');
    writeColumn(writer, id - before, values);
    before = id;
  }
  return writer.toBytes();
}

function writeTimes(writer: BlockWriter, times: readonly number[]): void {
  let before = EPOCH_SECONDS;
  let step = 0;
  for (const [index, time] of times.entries()) {
    requireInteger(time);
    const difference = time - before;
    if (index > 0 && difference < 1) throw new RangeError('times do not ascend');
    writer.signed(difference - step);
    if (index > 0) step = difference;
    before = time;
  }
}

function writeColumn(
  writer: BlockWriter,
  idDifference: number,
  values: readonly (number | null)[],
): void {
  const measured = values.filter((value) => value !== null);
  const [first = 0] = measured;
  const hasGaps = measured.length < values.length;
  const isConstant = measured.every((value) => value === first);
  writer.unsigned(idDifference * 4 + (isConstant ? 2 : 0) + (hasGaps ? 1 : 0));
  if (hasGaps) writer.bytes(bitsOf(values));
  let before = 0;
  for (const value of isConstant ? [first] : measured) {
    requireInteger(value);
    writer.signed(value - before);
    before = value;
  }
}

function bitsOf(values: readonly (number | null)[]): Uint8Array {
  const bits = new Uint8Array(Math.ceil(values.length / 8));
  for (const [index, value] of values.entries())
    if (value !== null) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
  return bits;
}

function requireInteger(value: number): void {
  if (!Number.isSafeInteger(value) || Math.abs(value) > MOST_VALUE)
    throw new RangeError('not an integer in range');
}

/** @throws RangeError if the bytes are not exactly one block within the limits */
export function decodeBlock(bytes: Uint8Array, limits: BlockLimits): MetricBlock {
  const reader = new BlockReader(bytes);
  const block = readBlock(reader, limits);
  if (reader.left > 0) throw new RangeError('bytes after the end');
  return block;
}

function readBlock(reader: BlockReader, limits: BlockLimits): MetricBlock {
  const count = reader.unsigned();
  if (count > limits.samples) throw new RangeError(`more than ${limits.samples} samples`);
  const times = readTimes(reader, count);
  const columnCount = reader.unsigned();
  if (columnCount > MOST_COLUMNS) throw new RangeError(`more than ${MOST_COLUMNS} metrics`);
  const columns = new Map<number, readonly (number | null)[]>();
  let id = 0;
  for (let index = 0; index < columnCount; index += 1) {
    const head = reader.unsigned();
    const difference = Math.floor(head / 4);
    id += difference;
    if (difference === 0 || id > MOST_METRIC_ID) throw new RangeError('metrics do not ascend');
    columns.set(id, readColumn(reader, count, head % 4));
  }
  return { times, columns };
}

function readTimes(reader: BlockReader, count: number): number[] {
  const times: number[] = [];
  let time = EPOCH_SECONDS;
  let step = 0;
  for (let index = 0; index < count; index += 1) {
    const difference = reader.signed() + step;
    if (index > 0 && difference < 1) throw new RangeError('times do not ascend');
    if (index > 0) step = difference;
    time += difference;
    requireInteger(time);
    times.push(time);
  }
  return times;
}

function readColumn(reader: BlockReader, count: number, flags: number): (number | null)[] {
  const isConstant = flags >= 2;
  const bits = flags % 2 === 1 ? reader.bytes(Math.ceil(count / 8)) : undefined;
  const values: (number | null)[] = [];
  let value = 0;
  let isFirst = true;
  for (let index = 0; index < count; index += 1) {
    if (bits !== undefined && ((bits[index >> 3] ?? 0) & (1 << (index & 7))) === 0) {
      values.push(null);
      continue;
    }
    if (isFirst || !isConstant) {
      value += reader.signed();
      requireInteger(value);
      isFirst = false;
    }
    values.push(value);
  }
  return values;
}
