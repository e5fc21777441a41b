/**
 * Downloads a file and checks its hash. An interrupted download (`<path>.part`) is resumed by range
 * request, also after a restart of the agent. The hash covers the whole file, so that a wrong
 * continuation is detected.
 */

import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { requireFreeBytes, type FreeBytes } from './disk-space.ts';
import { sync } from './durable-files.ts';
import { pause } from './pause.ts';

const ATTEMPTS = 6;
const FIRST_WAIT_MS = 500;

export interface FetchOrder {
  readonly url: string;
  readonly path: string;
  readonly sha256: string | null;
  readonly signal: AbortSignal;
  /**
   * Number of copies of the file that must fit on the disk: two for an archive, which is unpacked
   * next to itself.
   */
  readonly copies?: number;
}

export interface FetchFileOptions {
  readonly fetch: typeof fetch;
  readonly freeBytes?: FreeBytes;
  readonly firstWaitMs?: number;
  /** How to wait before a retry; by default for the given time. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** An HTTP error that a retry does not resolve. */
class Refused extends Error {}

/** Resolves with the size. Rejects with a readable reason. */
export async function fetchFile(order: FetchOrder, options: FetchFileOptions): Promise<number> {
  const { path, sha256, signal } = order;
  await fs.mkdir(dirname(path), { recursive: true });
  const there = await sizeOf(path);
  if (sha256 !== null && there !== null && (await hashOf(path)) === sha256) return there;
  const { firstWaitMs = FIRST_WAIT_MS } = options;
  let waitMs = firstWaitMs;
  let fresh = false;
  for (let attempt = 1; ; attempt += 1) {
    const before = await sizeOf(partOf(path));
    try {
      await fetchPart(order, options);
      const found = await hashOf(partOf(path));
      if (sha256 === null || found === sha256) break;
      await forget(path);
      // The part belonged to another file, so download from the start.
      if (before === null || before === 0 || fresh) {
        throw new Refused(
          `the content of ${shown(order.url)} has the sha256 ${found}, not ${sha256}`,
        );
      }
      fresh = true;
    } catch (error) {
      if (signal.aborted || error instanceof Refused) throw error;
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') {
        await forget(path);
        throw error;
      }
      const after = await sizeOf(partOf(path));
      // A download that makes progress can be interrupted any number of times and is retried soon.
      if ((after ?? 0) > (before ?? 0)) {
        attempt = 1;
        waitMs = firstWaitMs;
      }
      if (attempt >= ATTEMPTS) throw error;
      await (options.pause ?? pause)(waitMs, signal);
      waitMs = Math.min(waitMs * 2, 15_000);
    }
  }
  await sync(fs, partOf(path));
  await fs.rename(partOf(path), path);
  await fs.rm(tagOf(path), { force: true });
  return (await fs.stat(path)).size;
}

/**
 * Without the query, whose signature grants access to the file, because many users can read the
 * output.
 */
const shown = (url: string): string => url.split('?', 1)[0] ?? '';
const partOf = (path: string): string => `${path}.part`;
/** Identifies the content that the part belongs to (RFC 9110, section 13.1.5). */
const tagOf = (path: string): string => `${path}.part.tag`;

async function fetchPart(order: FetchOrder, options: FetchFileOptions): Promise<void> {
  const { url, path, signal } = order;
  const had = (await sizeOf(partOf(path))) ?? 0;
  const tag = had > 0 ? await fs.readFile(tagOf(path), 'utf8').catch(() => null) : null;
  const continues = had > 0 && (tag !== null || order.sha256 !== null);
  const headers: Record<string, string> = continues
    ? // Ranges count the bytes of the file itself, not of an encoding of it.
      { range: `bytes=${had}-`, 'accept-encoding': 'identity', ...(tag && { 'if-range': tag }) }
    : { 'accept-encoding': 'identity' };
  const response = await options.fetch(url, { signal, headers });
  if (response.status === 416) {
    await response.body?.cancel();
    // The part may be complete, which the hash shows; otherwise it belongs to another file.
    if (order.sha256 !== null && response.headers.get('content-range') === `bytes */${had}`) return;
    await forget(path);
    throw new Error(`${shown(url)} answered 416`);
  }
  if (!response.ok || !response.body) throw answered(url, response.status);
  const from = response.status === 206 && startOf(response) === had ? had : 0;
  if (response.status === 206 && from !== had) {
    await response.body.cancel();
    await forget(path);
    throw new Error(`${shown(url)} returned a different range than requested`);
  }
  const left = Number(response.headers.get('content-length') ?? 0);
  await requireFreeBytes(
    path,
    left + (left + from) * ((order.copies ?? 1) - 1),
    options.freeBytes,
  ).catch(async (error: Error) => {
    await response.body?.cancel();
    throw new Refused(error.message);
  });
  const strongTag = response.headers.get('etag');
  if (strongTag?.startsWith('"')) await fs.writeFile(tagOf(path), strongTag);
  else await fs.rm(tagOf(path), { force: true });
  await append(partOf(path), from, response.body);
}

async function append(path: string, from: number, body: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await fs.open(path, from === 0 ? 'w' : 'a');
  try {
    for await (const chunk of body) await handle.writeFile(chunk);
  } finally {
    await handle.close();
  }
}

function answered(url: string, status: number): Error {
  const message = `${shown(url)} answered ${status}`;
  const mayPass = status >= 500 || status === 408 || status === 429;
  return mayPass ? new Error(message) : new Refused(message);
}

function startOf(response: Response): number | null {
  const start = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1];
  return start === undefined ? null : Number(start);
}

async function forget(path: string): Promise<void> {
  await fs.rm(partOf(path), { force: true });
  await fs.rm(tagOf(path), { force: true });
}

function sizeOf(path: string): Promise<number | null> {
  return fs.stat(path).then(
    (found) => found.size,
    () => null,
  );
}

async function hashOf(path: string): Promise<string> {
  const hash: Hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}
