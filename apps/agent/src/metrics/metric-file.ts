/**
 * The samples of a real agent in `metrics.bin` of its state directory. Each record is written before
 * the next sample is taken, without waiting for the disk: a kill loses nothing, and a power failure
 * the last minute. A record that is incomplete or damaged ends the file.
 *
 * ```
 * length (4 bytes), CRC-32 of the content (4), content: kind, then
 *   0: first number, count, time of the last sample, block (metric-block.ts)
 *   1: next number, dropped samples
 * ```
 */

import { closeSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { decodeBlock } from '@deviceportal/device-protocol/metric-block';
import { BlockReader, BlockWriter } from '@deviceportal/device-protocol/var-int';
import type { MetricSample } from '@deviceportal/device-protocol/metric-sample';
import { type Logger, reasonOf } from '../logger.ts';
import {
  MetricBacklog,
  type AppendOptions,
  type BacklogBlock,
  type BacklogLimits,
  type BacklogPart,
} from './metric-backlog.ts';
import type { MetricStore } from './metric-store.ts';

const HEADER_BYTES = 8;
const MOST_RECORD_BYTES = 65_536;
/** More samples than a record can have. */
const RECORD_SAMPLES = 1_000;
/** Deleted and merged records stay in the file until it is this much larger than its content. */
const COMPACT_ABOVE_BYTES = 32 * 1_024;
/** A damaged record cannot make it read more. */
const MOST_FILE_BYTES = 8 * 1_024 * 1_024;
const SAMPLES = 0;
const POSITION = 1;

export interface MetricFileOptions {
  readonly stateDirectory: string;
  readonly log: Logger;
  readonly limits?: BacklogLimits;
}

export interface MetricFile extends MetricStore, Disposable {
  readonly bytes: number;
  readonly dropped: number;
}

export function openMetricFile(options: MetricFileOptions): MetricFile {
  return new OpenMetricFile(options);
}

class OpenMetricFile implements MetricFile {
  readonly #path: string;
  readonly #log: Logger;
  readonly #backlog: MetricBacklog;
  #handle: number | undefined;
  #fileBytes = 0;

  constructor({ stateDirectory, log, limits }: MetricFileOptions) {
    this.#path = join(stateDirectory, 'metrics.bin');
    this.#log = log;
    this.#backlog = new MetricBacklog(limits);
    const whole = this.#read();
    if (!whole) log('warn', 'metrics file was damaged; later samples are lost');
    this.#guard(() => this.#rewrite());
  }

  get samples(): number {
    return this.#backlog.samples;
  }

  get bytes(): number {
    return this.#fileBytes;
  }

  get dropped(): number {
    return this.#backlog.dropped;
  }

  append(sample: MetricSample, options?: AppendOptions): void {
    const block = this.#backlog.append(sample, options);
    this.#guard(() => {
      this.#write(recordOf(block));
      this.#compactIfLarge();
    });
  }

  oldest(most: number): BacklogPart | undefined {
    return this.#backlog.oldest(most);
  }

  /** Samples that a crash brings back are sent again, which changes nothing. */
  acknowledge(upTo: number): void {
    this.#backlog.acknowledge(upTo);
    this.#guard(() => this.#compactIfLarge());
  }

  [Symbol.dispose](): void {
    this.#guard(() => this.#rewrite());
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }

  /** Whether all of the file was readable. */
  #read(): boolean {
    let content: Buffer;
    try {
      content = readFileSync(this.#path).subarray(0, MOST_FILE_BYTES);
    } catch {
      return true;
    }
    let at = 0;
    while (content.length - at >= HEADER_BYTES) {
      const length = content.readUInt32LE(at);
      const record = content.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length);
      const isWhole = length <= MOST_RECORD_BYTES && record.length === length;
      if (!isWhole || crc32(record) !== content.readUInt32LE(at + 4)) return false;
      if (!this.#restore(record)) return false;
      at += HEADER_BYTES + length;
    }
    return at === content.length;
  }

  #restore(record: Uint8Array): boolean {
    const reader = new BlockReader(record);
    try {
      if (reader.byte() === POSITION) {
        this.#backlog.resume({ next: reader.unsigned(), dropped: reader.unsigned() });
        return true;
      }
      const [first, count, lastAt] = [reader.unsigned(), reader.unsigned(), reader.signed()];
      // A copy, because the file is one buffer.
      const bytes = Uint8Array.prototype.slice.call(reader.bytes(reader.left));
      if (decodeBlock(bytes, { samples: RECORD_SAMPLES }).times.length !== count) return false;
      this.#backlog.restore({ first, count, lastAt, bytes });
      return true;
    } catch {
      return false;
    }
  }

  #compactIfLarge(): void {
    if (this.#fileBytes > this.#backlog.bytes * 2 + COMPACT_ABOVE_BYTES) this.#rewrite();
  }

  #rewrite(): void {
    const { next, dropped, blocks } = this.#backlog;
    const content = Buffer.concat([
      framed(positionOf(next, dropped)),
      ...blocks.map((block) => recordOf(block)),
    ]);
    writeFileSync(`${this.#path}.new`, content, { mode: 0o600, flush: true });
    renameSync(`${this.#path}.new`, this.#path);
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = openSync(this.#path, 'a', 0o600);
    this.#fileBytes = content.length;
  }

  #write(record: Uint8Array): void {
    if (this.#handle === undefined) return this.#rewrite();
    this.#fileBytes += record.length;
    writeSync(this.#handle, record);
  }

  /** With a full disk, samples stay in memory, and the device keeps working. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#log('warn', 'metrics not written', { reason: reasonOf(error) });
      if (this.#handle !== undefined) closeSync(this.#handle);
      // A record that was written in part would hide those after it: the next write replaces the file.
      this.#handle = undefined;
    }
  }
}

function recordOf({ first, count, lastAt, bytes }: BacklogBlock): Buffer {
  const writer = new BlockWriter();
  writer.byte(SAMPLES);
  writer.unsigned(first);
  writer.unsigned(count);
  writer.signed(lastAt);
  writer.bytes(bytes);
  return framed(writer.toBytes());
}

function positionOf(next: number, dropped: number): Uint8Array {
  const writer = new BlockWriter();
  writer.byte(POSITION);
  writer.unsigned(next);
  writer.unsigned(dropped);
  return writer.toBytes();
}

function framed(content: Uint8Array): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(content.length, 0);
  header.writeUInt32LE(crc32(content), 4);
  return Buffer.concat([header, content]);
}
