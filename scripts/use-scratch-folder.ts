import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** What is written here stays in memory; Linux alone has it. */
const MEMORY = '/dev/shm';
const PREFIX = 'deviceportal-tests-';
/** All tests together leave less than a tenth of this at a time; the programs they start take more. */
const ENOUGH_BYTES = 6 * 2 ** 30;

/**
 * Vitest's global set-up: keeps what tests write in memory where that has room. They copy hundreds of databases of a
 * thousand files each, and a disk takes up to a second for one. The folder is `TMPDIR` for this process and all it
 * starts, and goes when this one ends. Elsewhere the system's own temporary folder stays.
 */
export default function useScratchFolder(): void {
  const folder = join(MEMORY, `${PREFIX}${process.pid}`);
  const isUsed = process.env['TMPDIR'] === folder;
  if (isUsed || !hasRoom()) return;
  removeLeftovers();
  mkdirSync(folder);
  // PostgreSQL runs as another user where root runs the tests.
  chmodSync(folder, 0o755);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (!mayRunPrograms(folder)) return remove();
  process.env['TMPDIR'] = folder;
  process.once('exit', remove);
}

function hasRoom(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

/** Containers often mount it without that right. */
function mayRunPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  return spawnSync(program).status === 0;
}

/** Of runs that were killed. A database that still runs there ends once it misses its files. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    const owner = Number(new RegExp(`^${PREFIX}(\\d+)$`).exec(name)?.[1]);
    if (!owner || isAlive(owner)) continue;
    try {
      rmSync(join(MEMORY, name), { recursive: true, force: true });
    } catch {
      // Another user's, who removes it.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
