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

/** In-memory file system, only on Linux. */
const MEMORY = '/dev/shm';
const PREFIX = 'deviceportal-tests-';
/**
 * All tests together use less than a tenth of this at a time; the processes they start use more.
 */
const ENOUGH_BYTES = 6 * 2 ** 30;

/**
 * Vitest's global setup: keeps test files in memory if there is room. Tests copy hundreds of
 * databases of a thousand files each, which takes up to a second on a disk. The folder is `TMPDIR`
 * for this process and its children, and is deleted when this process exits. Otherwise, the
 * system's temporary folder is used.
 */
export default function useScratchFolder(): void {
  const folder = join(MEMORY, `${PREFIX}${process.pid}`);
  const isUsed = process.env['TMPDIR'] === folder;
  if (isUsed || !hasRoom()) return;
  removeLeftovers();
  mkdirSync(folder);
  // If root runs the tests, PostgreSQL runs as another user.
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

/** Containers often mount it with noexec. */
function mayRunPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  return spawnSync(program).status === 0;
}

/** Leftovers of killed runs. A database that is still running exits when its files are missing. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    const owner = Number(new RegExp(`^${PREFIX}(\\d+)$`).exec(name)?.[1]);
    if (!owner || isAlive(owner)) continue;
    try {
      rmSync(join(MEMORY, name), { recursive: true, force: true });
    } catch {
      // Belongs to another user.
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
