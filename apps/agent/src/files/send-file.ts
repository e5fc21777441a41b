import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { FileUploadState } from '@deviceportal/contract/device-files';
import type { ReadStatement } from '@deviceportal/device-protocol/file-statement';
import { openToRead, type ReachedFile } from './file-guard.ts';
import { FileRefused } from './file-refused.ts';
import { requireOk, withRetries, type TransferWays } from './transfer-ways.ts';

/**
 * Bytes of one request: what is sent again after a lost connection. Where the server stores files in S3,
 * it keeps only pieces that end at a multiple of this size.
 */
const PIECE_BYTES = 8 * 1_024 * 1_024;

type Order = Pick<ReadStatement, 'part' | 'limitBytes' | 'url'>;

interface Span {
  readonly start: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

/**
 * Sends a file, or a part of it, by the link of the request: `PUT {url}&offset=…`. Of a file that
 * grows, what it contained at the beginning is sent. The digest is computed before, so that a file
 * that changes in between is noticed.
 */
export async function sendFile(
  reached: ReachedFile,
  order: Order,
  ways: TransferWays,
): Promise<Span> {
  await using file = await openToRead(reached);
  const span = spanOf((await file.stat()).size, order);
  const sha256 = await digestOf(file, span, ways.signal);
  const url = new URL(order.url, ways.serverUrl());
  const announced = { start: span.start, bytes: span.bytes, total: span.totalBytes, sha256 };
  for (const [name, value] of Object.entries(announced)) url.searchParams.set(name, String(value));
  let stored = 0;
  await withRetries(
    ways,
    () => stored,
    async () => {
      // An empty piece asks how much the server has, also of an earlier process.
      let state = await put(url, { offset: 0, content: Buffer.alloc(0) }, ways);
      while (state.sha256 === null) {
        stored = state.bytes;
        const offset = stored;
        const content = await readExactly(file, {
          start: span.start + offset,
          bytes: Math.min(PIECE_BYTES - (offset % PIECE_BYTES), span.bytes - offset),
        });
        state = await put(url, { offset, content }, ways);
      }
    },
  );
  return span;
}

function spanOf(totalBytes: number, { part, limitBytes }: Order): Span {
  if (part === 'whole') {
    if (totalBytes > limitBytes) throw new FileRefused('too-large');
    return { start: 0, bytes: totalBytes, totalBytes };
  }
  const bytes = Math.min(totalBytes, limitBytes);
  return { start: part === 'start' ? 0 : totalBytes - bytes, bytes, totalBytes };
}

async function digestOf(file: FileHandle, span: Span, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < span.bytes; at += PIECE_BYTES) {
    signal.throwIfAborted();
    const bytes = Math.min(PIECE_BYTES, span.bytes - at);
    hash.update(await readExactly(file, { start: span.start + at, bytes }));
  }
  return hash.digest('hex');
}

/** @throws FileRefused `changed` if the file has become shorter */
async function readExactly(
  file: FileHandle,
  { start, bytes }: { readonly start: number; readonly bytes: number },
): Promise<Buffer<ArrayBuffer>> {
  const content = Buffer.alloc(bytes);
  let read = 0;
  while (read < bytes) {
    const { bytesRead } = await file.read(content, read, bytes - read, start + read);
    if (bytesRead === 0) throw new FileRefused('changed');
    read += bytesRead;
  }
  return content;
}

async function put(
  url: URL,
  { offset, content }: { readonly offset: number; readonly content: Buffer<ArrayBuffer> },
  { fetch: send, signal }: TransferWays,
): Promise<FileUploadState> {
  url.searchParams.set('offset', String(offset));
  const headers = { 'content-type': 'application/octet-stream' };
  const response = await send(url, { method: 'PUT', body: content, headers, signal });
  await requireOk(response);
  return (await response.json()) as FileUploadState;
}
