/**
 * A reserve file for a full disk, so that a command that frees space can be stored and run. The
 * file is deleted when a write fails for lack of space, and created again when there is enough.
 */

import { open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

const RESERVE_BYTES = 2 * 1024 * 1024;
/** The reserve is not created with less free space than this. */
const PLENTY_BYTES = 32 * 1024 * 1024;
const LOOK_EVERY_MS = 60_000;

export class DiskReserve {
  readonly #directory: string;
  readonly #bytes: number;
  readonly #plentyBytes: number;
  #lookedAtMs = Number.NEGATIVE_INFINITY;

  constructor(directory: string, sizes: { bytes?: number; plentyBytes?: number } = {}) {
    this.#directory = directory;
    this.#bytes = sizes.bytes ?? RESERVE_BYTES;
    this.#plentyBytes = sizes.plentyBytes ?? PLENTY_BYTES;
  }

  get #path(): string {
    return join(this.#directory, 'reserve');
  }

  /** Runs the work. If the disk is full, deletes the reserve and retries once. */
  async guard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isDiskFull(error) || !(await this.#release())) throw error;
      await work();
    }
    await this.#restore().catch(() => {});
  }

  async #release(): Promise<boolean> {
    const held = await stat(this.#path).catch(() => null);
    if (!held || held.size === 0) return false;
    await rm(this.#path, { force: true });
    this.#lookedAtMs = performance.now();
    return true;
  }

  async #restore(): Promise<void> {
    if (performance.now() - this.#lookedAtMs < LOOK_EVERY_MS) return;
    this.#lookedAtMs = performance.now();
    const held = await stat(this.#path).catch(() => null);
    if (held?.size === this.#bytes) return;
    const { bavail, bsize } = await statfs(this.#directory);
    if (bavail * bsize < this.#plentyBytes) return;
    const file = await open(this.#path, 'w', 0o600);
    try {
      // Written with data, because a sparse file reserves no space.
      await file.writeFile(Buffer.alloc(this.#bytes, 0x2e));
    } finally {
      await file.close();
    }
  }
}

function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOSPC' || code === 'EDQUOT';
}
