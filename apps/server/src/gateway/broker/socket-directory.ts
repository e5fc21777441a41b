import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A socket's path ends at 104 bytes on macOS, 108 on Linux; its own name comes on top. */
const LONGEST_BYTES = 80;
const NAME = /^dp-live-(\d+)-[A-Za-z0-9]{6}$/;

/**
 * A folder for a socket that carries identity: only this account may enter it (mkdtemp makes it so). In the data
 * folder where the path stays short enough, and each server has its own, for several may share a data folder. What a
 * killed server left behind goes.
 */
export async function makeSocketDirectory(dataDir: string | undefined): Promise<string> {
  const isShort =
    dataDir !== undefined &&
    Buffer.byteLength(join(dataDir, `dp-live-${process.pid}-XXXXXX`)) <= LONGEST_BYTES;
  const parent = isShort ? dataDir : tmpdir();
  await removeLeftBehind(parent);
  return mkdtemp(join(parent, `dp-live-${process.pid}-`));
}

async function removeLeftBehind(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    // Another account's, in a shared folder, stays: it is not ours to remove.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
