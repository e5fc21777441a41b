import { open, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { recordAudit, systemActor } from '../record-audit.ts';
import { blockLine, parseAnchorLine } from './anchor-lines.ts';
import type { AnchorTarget } from './anchor-target.ts';

const TAIL_BYTES = 64 * 1_024;
const LINE_FEED = 0x0a;

/**
 * Appends blocks to the file of this server and waits until they are on the disk. If the file does not end with the previous block, it was
 * truncated: this is recorded, and the delivery continues.
 */
export function createFileAnchor(path: string): AnchorTarget {
  return {
    name: 'file',
    position: `file@${hostname()}:${path}`,
    everyMs: 0,
    newestOnly: false,
    async findLast() {
      const last = await lastBlockOf(path);
      return last === 'unknown' ? undefined : last;
    },
    async deliver(blocks, tx) {
      const [first] = blocks;
      if (first === undefined) return;
      const last = await lastBlockOf(path);
      await appendLines(path, blocks.map(blockLine));
      if (last === 'unknown' || last >= first.number - 1) return;
      await recordAudit(tx, [
        {
          type: 'audit-trail.anchor-cut',
          actor: systemActor,
          data: { target: 'file', endedAt: last, expected: first.number - 1 },
        },
      ]);
    },
  };
}

/** Appends lines, on a new line after an incomplete one. Without lines, it only opens the file. */
export async function appendLines(path: string, lines: readonly string[]): Promise<void> {
  const file = await open(path, 'a+', 0o600);
  try {
    if (lines.length === 0) return;
    const tail = await readTail(file, 1);
    const isTorn = tail.length > 0 && tail[0] !== LINE_FEED;
    await file.appendFile(`${isTorn ? '\n' : ''}${lines.join('\n')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Number of the last block in the file; `unknown` for a new file, or if there is none near its end. */
async function lastBlockOf(path: string): Promise<number | 'unknown'> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return 'unknown';
  try {
    const lines = (await readTail(file, TAIL_BYTES)).toString('utf8').split('\n').toReversed();
    for (const text of lines) {
      const line = parseAnchorLine(text);
      if (line?.kind === 'block') return line.number;
    }
    return 'unknown';
  } finally {
    await file.close();
  }
}

async function readTail(file: FileHandle, bytes: number): Promise<Buffer> {
  const { size } = await file.stat();
  const length = Math.min(size, bytes);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  return buffer;
}
