/**
 * Room on the disk that is kept for a full one: a command that makes room must itself be kept and run. The file is
 * given up when a write finds no space, and taken again when there is plenty.
 */

import { open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

const RESERVE_BYTES = 2 * 1024 * 1024;
/** Never take the last room from others. */
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

  /** Does the work; where the disk is full, once more after the reserve was given up. */
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
      // Written, not only named: a hole in a file reserves nothing.
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
