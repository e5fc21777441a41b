/** Whether something fits, asked before it is begun: a full disk takes the rest of the device down with it. */

import { open, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Stays free for what else the device writes meanwhile. */
const RESERVE_BYTES = 32 * 1024 * 1024;
const MEGABYTE = 1_000_000;

/** Bytes that may be written to the file system of a path; null where nobody knows. */
export type FreeBytes = (path: string) => Promise<number | null>;

/** @throws Error with a reason for a person when there is not enough space */
export async function requireFreeBytes(
  path: string,
  neededBytes: number,
  freeBytes: FreeBytes = freeBytesOf,
): Promise<void> {
  const free = await freeBytes(path);
  if (free === null || free >= neededBytes + RESERVE_BYTES) return;
  const needed = Math.ceil((neededBytes + RESERVE_BYTES) / MEGABYTE);
  throw new Error(
    `not enough space on the disk: ${needed} MB are needed, ${Math.floor(free / MEGABYTE)} MB are free; nothing was changed`,
  );
}

/** Of a path or of its nearest folder that exists. */
async function freeBytesOf(path: string): Promise<number | null> {
  const found = await statfs(path).catch(() => null);
  if (found) return found.bavail * found.bsize;
  return dirname(path) === path ? null : freeBytesOf(dirname(path));
}

/**
 * Size of an archive's content, as its file says: gzip writes the length modulo 2^32 into the last four bytes
 * (RFC 1952, section 2.3.1), so that it is a lower bound for what is larger; content is never smaller than the file by much.
 */
export async function unpackedBytes(path: string): Promise<number> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if (path.endsWith('.tar') || size < 18) return size;
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, size - 4);
    return Math.max(size, buffer.readUInt32LE(0));
  } finally {
    await handle.close();
  }
}
