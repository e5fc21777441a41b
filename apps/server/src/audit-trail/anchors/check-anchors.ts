import type { X509Certificate } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { answerOf } from '../../platform/aws/answer-of.ts';
import type { AnchorBucketConfig } from '../../platform/config/config.ts';
import type { Executor } from '../../platform/database/database.ts';
import { StartError } from '../../platform/process/start-error.ts';
import { readTimeStamps } from '../data/anchors/time-stamp-queries.ts';
import { findBlockHashes } from '../data/sealing/block-queries.ts';
import { bucketLines, type FoundObjects } from './bucket-lines.ts';
import { readReceipt } from './bucket-receipt.ts';
import { InvalidTimeStamp } from './invalid-time-stamp.ts';
import { checkPlace, type PlaceReport } from './place-check.ts';
import { openLockedObjects, placeOfBucket } from './s3-anchor.ts';
import { verifyTimeStamp } from './time-stamp-token.ts';

export interface AnchorSources {
  readonly executor: Executor;
  /** An anchor file; undefined if none is compared. */
  readonly file: string | undefined;
  /** A bucket with object lock; undefined if none is compared. */
  readonly bucket: AnchorBucketConfig | undefined;
  /** Certificates of trusted time-stamp authorities; undefined: time stamps are not checked. */
  readonly roots: readonly X509Certificate[] | undefined;
}

export interface BucketReport extends PlaceReport {
  /** The first object that was overwritten, marked as deleted, or is missing. Its first version counts. */
  readonly changed: string | null;
}

export interface AnchorReport {
  readonly file: PlaceReport | null;
  readonly bucket: BucketReport | null;
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
  /** The first invalid time stamp. */
  readonly badStamp: { readonly number: number; readonly reason: string } | null;
}

const STAMPS_AT_ONCE = 1_000;

/**
 * Compares a verified chain with its anchors.
 *
 * @throws StartError if the file or the bucket cannot be read
 */
export async function checkAnchors(sources: AnchorSources): Promise<AnchorReport> {
  const { file, bucket } = sources;
  const check = new AnchorCheck(sources);
  const ofFile = file === undefined ? null : await check.readFile(file);
  const ofBucket = bucket === undefined ? null : await check.readBucket(bucket);
  await check.readDatabase();
  return { file: ofFile, bucket: ofBucket, ...check.stamped() };
}

class AnchorCheck {
  readonly #sources: AnchorSources;
  #stamps = 0;
  #unchecked = 0;
  #newest: AnchorReport['newest'] = null;
  #badStamp: AnchorReport['badStamp'] = null;

  constructor(sources: AnchorSources) {
    this.#sources = sources;
  }

  async readFile(file: string): Promise<PlaceReport> {
    await access(file).catch(() => {
      throw new StartError(`The anchor file ${file} cannot be read.`);
    });
    const lines = createInterface({ input: createReadStream(file) });
    return checkPlace(this.#sources.executor, lines, { onStamp: this.#onStamp });
  }

  async readBucket(bucket: AnchorBucketConfig): Promise<BucketReport> {
    const { executor } = this.#sources;
    const objects = await openLockedObjects(bucket);
    const found: FoundObjects = { changed: null, receipts: new Set() };
    const place = await checkPlace(executor, bucketLines(objects, bucket, found), {
      onStamp: this.#onStamp,
      everyMs: bucket.everyMs,
    }).catch((error: unknown) => {
      throw new StartError(`${placeOfBucket(bucket)} cannot be read: ${answerOf(error)}`, {
        cause: error,
      });
    });
    const receipt = await readReceipt(executor);
    const isMissing =
      receipt?.startsWith(placeOfBucket(bucket)) === true && !found.receipts.has(receipt);
    return { ...place, changed: found.changed ?? (isMissing ? (receipt ?? null) : null) };
  }

  /** Checks the time stamps in the database. */
  async readDatabase(): Promise<void> {
    let after = 0;
    for (;;) {
      const stored = await readTimeStamps(this.#sources.executor, after, STAMPS_AT_ONCE);
      const numbers = stored.map(({ block }) => block);
      const hashes = await findBlockHashes(this.#sources.executor, numbers);
      for (const { block, token } of stored) this.#onStamp(block, hashes.get(block), token);
      after = stored.at(-1)?.block ?? after;
      if (stored.length < STAMPS_AT_ONCE) return;
    }
  }

  stamped(): Omit<AnchorReport, 'file' | 'bucket'> {
    return {
      stamps: this.#stamps,
      unchecked: this.#unchecked,
      newest: this.#newest,
      badStamp: this.#badStamp,
    };
  }

  readonly #onStamp = (number: number, chainHash: string | undefined, token: Buffer): void => {
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
  };
}
