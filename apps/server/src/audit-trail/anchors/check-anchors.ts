import type { X509Certificate } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Executor } from '../../platform/database/database.ts';
import { StartError } from '../../platform/process/start-error.ts';
import { readTimeStamps } from '../data/anchors/time-stamp-queries.ts';
import { findBlockAfter, findBlockHashes } from '../data/sealing/block-queries.ts';
import { parseAnchorLine, type AnchorLine } from './anchor-lines.ts';
import { InvalidTimeStamp } from './invalid-time-stamp.ts';
import { verifyTimeStamp } from './time-stamp-token.ts';

export interface AnchorSources {
  readonly executor: Executor;
  /** An anchor file; undefined: only time stamps in the database are checked. */
  readonly file: string | undefined;
  /** Certificates of trusted time-stamp authorities; undefined: time stamps are not checked. */
  readonly roots: readonly X509Certificate[] | undefined;
}

export interface AnchorReport {
  /** Blocks of the anchor file that are in the chain. */
  readonly blocks: number;
  /** Valid time stamps. */
  readonly stamps: number;
  /** Time stamps that were not checked because no trusted authority was specified. */
  readonly unchecked: number;
  /** The newest block with a proven time. */
  readonly newest: {
    readonly number: number;
    readonly at: Date;
    readonly authority: string;
  } | null;
  /** The first block that differs from the anchored one: the chain was truncated or rewritten. */
  readonly rewritten: number | null;
  /** The first block that is missing in the file, between two blocks or at the end of the chain. */
  readonly lacking: number | null;
  /** Lines in another format. */
  readonly unreadable: number;
  /** The first invalid time stamp. */
  readonly badStamp: { readonly number: number; readonly reason: string } | null;
}

const LINES_AT_ONCE = 1_000;
/** Blocks that were sealed within this time may not be delivered yet. */
const UNDERWAY_MINUTES = 15;

/**
 * Compares a verified chain with its anchors.
 *
 * @throws StartError if the file cannot be read
 */
export async function checkAnchors(sources: AnchorSources): Promise<AnchorReport> {
  const check = new AnchorCheck(sources);
  if (sources.file !== undefined) {
    await access(sources.file).catch(() => {
      throw new StartError(`The anchor file ${sources.file} cannot be read.`);
    });
    await check.readFile(sources.file);
  }
  await check.readDatabase();
  return check.report();
}

class AnchorCheck {
  readonly #sources: AnchorSources;
  #blocks = 0;
  #stamps = 0;
  #unchecked = 0;
  #newest: AnchorReport['newest'] = null;
  #rewritten: number | null = null;
  #lacking: number | null = null;
  #unreadable = 0;
  #badStamp: AnchorReport['badStamp'] = null;
  /** Last block of the file. */
  #last: number | null = null;

  constructor(sources: AnchorSources) {
    this.#sources = sources;
  }

  async readFile(file: string): Promise<void> {
    let lines: AnchorLine[] = [];
    for await (const text of createInterface({ input: createReadStream(file) })) {
      const line = parseAnchorLine(text);
      if (line === null) this.#unreadable += 1;
      else lines.push(line);
      if (lines.length < LINES_AT_ONCE) continue;
      await this.#compare(lines);
      lines = [];
    }
    await this.#compare(lines);
    await this.#requireEnd();
  }

  /** Checks the time stamps in the database. */
  async readDatabase(): Promise<void> {
    let after = 0;
    for (;;) {
      const stored = await readTimeStamps(this.#sources.executor, after, LINES_AT_ONCE);
      const numbers = stored.map(({ block }) => block);
      const hashes = await findBlockHashes(this.#sources.executor, numbers);
      for (const { block, token } of stored) this.#checkStamp(block, hashes.get(block), token);
      after = stored.at(-1)?.block ?? after;
      if (stored.length < LINES_AT_ONCE) return;
    }
  }

  report(): AnchorReport {
    return {
      blocks: this.#blocks,
      stamps: this.#stamps,
      unchecked: this.#unchecked,
      newest: this.#newest,
      rewritten: this.#rewritten,
      lacking: this.#lacking,
      unreadable: this.#unreadable,
      badStamp: this.#badStamp,
    };
  }

  async #compare(lines: readonly AnchorLine[]): Promise<void> {
    const numbers = lines.map(({ number }) => number);
    const hashes = await findBlockHashes(this.#sources.executor, numbers);
    for (const line of lines) {
      const isSame = hashes.get(line.number) === line.hash;
      if (!isSame) this.#rewritten = least(this.#rewritten, line.number);
      if (line.kind === 'time-stamp') {
        const token = Buffer.from(line.token, 'base64');
        this.#checkStamp(line.number, hashes.get(line.number), token);
        continue;
      }
      if (isSame) this.#blocks += 1;
      // A line can occur twice: blocks are delivered again after a failure.
      if (this.#last !== null && line.number > this.#last + 1) {
        this.#lacking = least(this.#lacking, this.#last + 1);
      }
      this.#last = Math.max(this.#last ?? 0, line.number);
    }
  }

  #checkStamp(number: number, chainHash: string | undefined, token: Buffer): void {
    const { roots } = this.#sources;
    if (roots === undefined) {
      this.#unchecked += 1;
      return;
    }
    try {
      // No time stamp covers the empty hash of a missing block.
      const hash = Buffer.from(chainHash ?? '', 'hex');
      const { at, authority } = verifyTimeStamp(token, { hash, roots });
      this.#stamps += 1;
      if (number >= (this.#newest?.number ?? 0)) this.#newest = { number, at, authority };
    } catch (error) {
      if (!(error instanceof InvalidTimeStamp)) throw error;
      this.#badStamp ??= { number, reason: error.message };
    }
  }

  /** A truncated file lacks blocks that should have been delivered. */
  async #requireEnd(): Promise<void> {
    const sealedBefore = new Date(Date.now() - UNDERWAY_MINUTES * 60_000);
    const missing = await findBlockAfter(this.#sources.executor, this.#last ?? 0, sealedBefore);
    if (missing !== undefined) this.#lacking = least(this.#lacking, missing);
  }
}

const least = (one: number | null, other: number): number =>
  one === null ? other : Math.min(one, other);
