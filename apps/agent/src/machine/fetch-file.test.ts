import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fetchFile, type FetchFileOptions } from './fetch-file.ts';

const content = randomBytes(1_000_000);
const sha256 = createHash('sha256').update(content).digest('hex');
let directory: string;
let server: Server;
let url: string;
let asked: (string | undefined)[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fetch-'));
  asked = [];
  answer = serve();
  server = createServer((request, response) => {
    asked.push(request.headers.range);
    answer(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`;
});
afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await rm(directory, { recursive: true, force: true });
});

/** Serves ranges, and cuts the connection after a number of bytes of each response. */
function serve({ body = content, tag = '"a"', cutAfter = Infinity } = {}) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const asks = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1];
    const isSame = (request.headers['if-range'] ?? tag) === tag;
    const from = asks !== undefined && isSame ? Number(asks) : 0;
    if (from >= body.length) {
      response.writeHead(416, { 'content-range': `bytes */${body.length}` }).end();
      return;
    }
    const rest = body.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, {
      etag: tag,
      'content-length': rest.length,
      ...(from > 0 && { 'content-range': `bytes ${from}-${body.length - 1}/${body.length}` }),
    });
    if (rest.length <= cutAfter) response.end(rest);
    else {
      response.write(rest.subarray(0, cutAfter));
      void untilKept(from + cutAfter, response).then(() => response.destroy());
    }
  };
}

/**
 * Data that has arrived but is not read yet is lost with its connection. Waiting avoids that race.
 */
async function untilKept(bytes: number, response: ServerResponse): Promise<void> {
  const kept = () =>
    stat(join(directory, 'file.part')).then(
      ({ size }) => size,
      () => 0,
    );
  while (!response.destroyed && (await kept()) !== bytes) await sleep(1);
}

const fetchIt = (hash: string | null = sha256, options: Partial<FetchFileOptions> = {}) =>
  fetchFile(
    { url, path: join(directory, 'file'), sha256: hash, signal: new AbortController().signal },
    { fetch, firstWaitMs: 1, ...options },
  );

test('resumes a download that is interrupted repeatedly', async () => {
  answer = serve({ cutAfter: 100_000 });
  expect(await fetchIt()).toBe(content.length);
  expect(content.equals(await readFile(join(directory, 'file')))).toBe(true);
  const starts = asked.slice(1).map((range) => Number(range?.replace(/\D/g, '')));
  expect(starts).toEqual(Array.from({ length: 9 }, (_, index) => (index + 1) * 100_000));
  expect(await readdir(directory)).toEqual(['file']);
});

test('resumes a download from before a restart, and does not repeat a complete one', async () => {
  await writeFile(join(directory, 'file.part'), content.subarray(0, 400_000));
  expect(await fetchIt()).toBe(content.length);
  expect(asked).toEqual(['bytes=400000-']);
  expect(await fetchIt()).toBe(content.length);
  expect(asked).toHaveLength(1);
});

test('discards the part of another file', async () => {
  await writeFile(join(directory, 'file.part'), randomBytes(400_000));
  expect(await fetchIt()).toBe(content.length);
  expect(content.equals(await readFile(join(directory, 'file')))).toBe(true);
});

test('restarts the download of a file that has changed', async () => {
  const old = serve({ body: randomBytes(900_000), tag: '"old"', cutAfter: 300_000 });
  let first = true;
  answer = (request, response) => {
    (first ? old : serve())(request, response);
    first = false;
  };
  expect(await fetchIt(null)).toBe(content.length);
  expect(content.equals(await readFile(join(directory, 'file')))).toBe(true);
});

test('rejects a file with a wrong hash and deletes it', async () => {
  await expect(fetchIt('0'.repeat(64))).rejects.toThrow(sha256);
  expect(await readdir(directory)).toEqual([]);
});

test('rejects a file that does not fit before writing to the disk', async () => {
  const freeBytes = () => Promise.resolve(32 * 1024 * 1024);
  await expect(fetchIt(sha256, { freeBytes })).rejects.toThrow('not enough space on the disk');
  expect(asked).toHaveLength(1);
  expect(await readdir(directory)).toEqual([]);
});

test('does not retry a URL without a file', async () => {
  answer = (_request, response) => response.writeHead(404).end();
  await expect(fetchIt()).rejects.toThrow('answered 404');
  expect(asked).toHaveLength(1);
});

test('accepts the whole file from a server without range support', async () => {
  await writeFile(join(directory, 'file.part'), content.subarray(0, 400_000));
  answer = (_request, response) => response.writeHead(200).end(content);
  expect(await fetchIt()).toBe(content.length);
});

test('retries soon after progress, regardless of earlier delays', async () => {
  const waits: number[] = [];
  const pause = (ms: number): Promise<void> => {
    waits.push(ms);
    return Promise.resolve();
  };
  const pieces = serve({ cutAfter: 600_000 });
  answer = (request, response) => {
    if (asked.length <= 3) response.writeHead(503).end();
    else pieces(request, response);
  };
  expect(await fetchIt(sha256, { pause })).toBe(content.length);
  expect(waits).toEqual([1, 2, 4, 1]);
});
