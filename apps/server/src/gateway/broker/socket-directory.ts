import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The path of a socket is limited to 104 bytes on macOS and 108 on Linux, including its file name. */
const LONGEST_BYTES = 80;
const NAME = /^dp-live-(\d+)-[A-Za-z0-9]{6}$/;

/**
 * Creates a folder for a socket that carries identities: only this account can enter it (mkdtemp). It is in the data
 * folder if the path is short enough, and unique for each server, because several can share a data folder. Removes
 * folders that killed servers left behind.
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
    // A folder of another account, in a shared folder, must stay.
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
