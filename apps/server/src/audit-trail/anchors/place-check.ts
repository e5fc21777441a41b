import type { Executor } from '../../platform/database/database.ts';
import { findBlockAfter, findBlockHashes } from '../data/sealing/block-queries.ts';
import { parseAnchorLine, type AnchorLine } from './anchor-lines.ts';

/** A comparison of the chain with the blocks in one place. */
export interface PlaceReport {
  /** Blocks of the place that are in the chain. */
  readonly blocks: number;
  /** The first block that differs from the anchored one: the chain was truncated or rewritten. */
  readonly rewritten: number | null;
  /** The first block that is missing in the place, between two blocks or at the end of the chain. */
  readonly lacking: number | null;
  /** Lines in another format. */
  readonly unreadable: number;
}

/** Called for each time stamp in a place, with the hash of its block in the chain. */
export type OnStamp = (number: number, chainHash: string | undefined, token: Buffer) => void;

const LINES_AT_ONCE = 1_000;
/** Blocks that were sealed within this time, and the interval of the place, may not be delivered yet. */
const UNDERWAY_MS = 15 * 60_000;

/** Compares the lines of a place, in their order, with a verified chain. */
export async function checkPlace(
  executor: Executor,
  lines: AsyncIterable<string>,
  { onStamp, everyMs = 0 }: { readonly onStamp: OnStamp; readonly everyMs?: number },
): Promise<PlaceReport> {
  const check = new PlaceCheck(executor, onStamp);
  let parsed: AnchorLine[] = [];
  for await (const text of lines) {
    const line = parseAnchorLine(text);
    if (line === null) check.unreadable += 1;
    else parsed.push(line);
    if (parsed.length < LINES_AT_ONCE) continue;
    await check.compare(parsed);
    parsed = [];
  }
  await check.compare(parsed);
  await check.requireEnd(new Date(Date.now() - UNDERWAY_MS - everyMs));
  const { blocks, rewritten, lacking, unreadable } = check;
  return { blocks, rewritten, lacking, unreadable };
}

class PlaceCheck implements PlaceReport {
  blocks = 0;
  rewritten: number | null = null;
  lacking: number | null = null;
  unreadable = 0;
  readonly #executor: Executor;
  readonly #onStamp: OnStamp;
  #last: number | null = null;

  constructor(executor: Executor, onStamp: OnStamp) {
    this.#executor = executor;
    this.#onStamp = onStamp;
  }

  async compare(lines: readonly AnchorLine[]): Promise<void> {
    const numbers = lines.map(({ number }) => number);
    const hashes = await findBlockHashes(this.#executor, numbers);
    for (const line of lines) {
      const isSame = hashes.get(line.number) === line.hash;
      if (!isSame) this.rewritten = least(this.rewritten, line.number);
      if (line.kind === 'time-stamp') {
        const token = Buffer.from(line.token, 'base64');
        this.#onStamp(line.number, hashes.get(line.number), token);
        continue;
      }
      if (isSame) this.blocks += 1;
      // A line can occur twice: blocks are delivered again after a failure.
      if (this.#last !== null && line.number > this.#last + 1) {
        this.lacking = least(this.lacking, this.#last + 1);
      }
      this.#last = Math.max(this.#last ?? 0, line.number);
    }
  }

  /** A truncated place lacks blocks that should have been delivered. */
  async requireEnd(sealedBefore: Date): Promise<void> {
    const missing = await findBlockAfter(this.#executor, this.#last ?? 0, sealedBefore);
    if (missing !== undefined) this.lacking = least(this.lacking, missing);
  }
}

const least = (one: number | null, other: number): number =>
  one === null ? other : Math.min(one, other);
