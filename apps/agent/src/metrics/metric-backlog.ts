/** Samples that the server has not acknowledged, as compressed blocks, oldest first. */

import {
  decodeBlock,
  encodeBlock,
  type MetricBlock,
} from '@deviceportal/device-protocol/metric-block';
import { mergeBlocks } from '@deviceportal/device-protocol/merge-blocks';
import { blockOf, type MetricSample } from '@deviceportal/device-protocol/metric-sample';

export interface BacklogLimits {
  readonly bytes: number;
  readonly ageSeconds: number;
}

/** A week of samples every minute takes less than half of it. */
const BACKLOG_LIMITS: BacklogLimits = { bytes: 512 * 1_024, ageSeconds: 7 * 86_400 };

/** Consecutive samples of one block. Larger ones are hardly smaller per sample. */
const SAMPLES_PER_BLOCK = 60;

export interface BacklogBlock {
  /** Number of its first sample. */
  readonly first: number;
  readonly count: number;
  /** Seconds since 1970 of its last sample. */
  readonly lastAt: number;
  readonly bytes: Uint8Array;
}

export interface AppendOptions {
  /**
   * Whether the time of the sample is the server's. A wrong clock makes every other sample seem too
   * old, so none is deleted for its age.
   */
  readonly isTimeKnown?: boolean;
}

/** What a message carries. */
export interface BacklogPart {
  readonly upTo: number;
  readonly dropped: number;
  readonly block: MetricBlock;
}

export class MetricBacklog {
  readonly #limits: BacklogLimits;
  #blocks: BacklogBlock[] = [];
  #next = 1;
  #bytes = 0;
  #dropped = 0;
  /** Samples deleted up to the last part that was read. */
  #droppedAtPart = 0;

  constructor(limits: BacklogLimits = BACKLOG_LIMITS) {
    this.#limits = limits;
  }

  get blocks(): readonly BacklogBlock[] {
    return this.#blocks;
  }

  /** Number of the next sample. */
  get next(): number {
    return this.#next;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get samples(): number {
    return this.#blocks.reduce((sum, { count }) => sum + count, 0);
  }

  /** Samples that were deleted for lack of room and have not been reported. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Deletes the oldest samples if there is no room for it, or if they are too old. Returns its block. */
  append(sample: MetricSample, { isTimeKnown = true }: AppendOptions = {}): BacklogBlock {
    const bytes = encodeBlock(blockOf(sample));
    const block = { first: this.#next, count: 1, lastAt: Math.round(sample.at), bytes };
    this.restore(block);
    this.#mergeNewest();
    this.#limit(isTimeKnown ? block.lastAt : undefined);
    return block;
  }

  /** Adds many samples in order of time, for which this is much faster than one after the other. */
  appendAll(samples: readonly MetricSample[]): void {
    for (let start = 0; start < samples.length; start += SAMPLES_PER_BLOCK) {
      const part = samples.slice(start, start + SAMPLES_PER_BLOCK);
      const lastAt = Math.round(part.at(-1)?.at ?? 0);
      const bytes = encodeBlock(mergeBlocks(part.map(blockOf)));
      this.restore({ first: this.#next, count: part.length, lastAt, bytes });
      this.#limit(lastAt);
    }
  }

  /** Adds a block that was stored. */
  restore(block: BacklogBlock): void {
    this.#blocks.push(block);
    this.#bytes += block.bytes.length;
    this.#next = Math.max(this.#next, block.first + block.count);
  }

  /** Continues the numbers and the count of an earlier process. */
  resume({ next, dropped }: { readonly next: number; readonly dropped: number }): void {
    this.#next = Math.max(this.#next, next);
    this.#dropped += dropped;
  }

  /** The oldest samples; undefined if there are none. */
  oldest(most: number): BacklogPart | undefined {
    const taken: BacklogBlock[] = [];
    let count = 0;
    for (const block of this.#blocks) {
      if (taken.length > 0 && count + block.count > most) break;
      taken.push(block);
      count += block.count;
    }
    const last = taken.at(-1);
    if (last === undefined) return undefined;
    this.#droppedAtPart = this.#dropped;
    return {
      upTo: last.first + last.count - 1,
      dropped: this.#dropped,
      block: mergeBlocks(taken.map(decoded)),
    };
  }

  acknowledge(upTo: number): void {
    while (this.#blocks[0] !== undefined && this.#lastOf(this.#blocks[0]) <= upTo) this.#shift();
    this.#dropped -= Math.min(this.#dropped, this.#droppedAtPart);
    this.#droppedAtPart = 0;
  }

  #lastOf = ({ first, count }: BacklogBlock): number => first + count - 1;

  #shift(): BacklogBlock | undefined {
    const block = this.#blocks.shift();
    this.#bytes -= block?.bytes.length ?? 0;
    return block;
  }

  #limit(nowSeconds: number | undefined): void {
    for (;;) {
      const [oldest] = this.#blocks;
      if (oldest === undefined || this.#blocks.length === 1) return;
      const isTooOld =
        nowSeconds !== undefined && oldest.lastAt < nowSeconds - this.#limits.ageSeconds;
      if (!isTooOld && this.#bytes <= this.#limits.bytes) return;
      this.#dropped += this.#shift()?.count ?? 0;
    }
  }

  /** A clock that was set back has samples of the same times: they stay separate. */
  #mergeNewest(): void {
    const single = this.#blocks.slice(-SAMPLES_PER_BLOCK);
    if (single.length < SAMPLES_PER_BLOCK || single.some(({ count }) => count > 1)) return;
    const [first] = single;
    const merged = mergeBlocks(single.map(decoded));
    if (first === undefined || merged.times.length !== single.length) return;
    this.#blocks.splice(-SAMPLES_PER_BLOCK);
    const bytes = encodeBlock(merged);
    this.#bytes += bytes.length - single.reduce((sum, block) => sum + block.bytes.length, 0);
    const lastAt = merged.times.at(-1) ?? first.lastAt;
    this.#blocks.push({ first: first.first, count: single.length, lastAt, bytes });
  }
}

const decoded = ({ bytes, count }: BacklogBlock): MetricBlock =>
  decodeBlock(bytes, { samples: count });
