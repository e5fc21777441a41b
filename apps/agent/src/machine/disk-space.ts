/** Checks the free space before an operation, because a full disk would affect the whole device. */

import { open, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Reserve for other data that the device writes. */
const RESERVE_BYTES = 32 * 1024 * 1024;
const MEGABYTE = 1_000_000;

/** Free bytes of the file system of a path; null if unknown. */
export type FreeBytes = (path: string) => Promise<number | null>;

/** @throws Error with a readable reason if there is not enough space */
export async function requireFreeBytes(
  path: string,
  neededBytes: number,
  freeBytes: FreeBytes = freeBytesOf,
): Promise<void> {
  const free = await freeBytes(path);
  if (free === null || free >= neededBytes + RESERVE_BYTES) return;
  const needed = Math.ceil((neededBytes + RESERVE_BYTES) / MEGABYTE);
  throw new Error(
    `not enough space on the disk: ${needed} MB required, ${Math.floor(free / MEGABYTE)} MB available; nothing was changed`,
  );
}

/** For a path or its nearest existing folder. */
async function freeBytesOf(path: string): Promise<number | null> {
  const found = await statfs(path).catch(() => null);
  if (found) return found.bavail * found.bsize;
  return dirname(path) === path ? null : freeBytesOf(dirname(path));
}

/**
 * Size of an archive's content: gzip stores the length modulo 2^32 in the last four bytes (RFC
 * 1952, section 2.3.1), which is a lower bound for larger content.
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
