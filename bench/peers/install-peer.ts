import { execFile } from 'node:child_process';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Runs a program to its end. */
export const run = promisify(execFile);

/**
 * The folder of a product outside this repository. It is installed the first time.
 * @param name with the version, so that versions have different folders
 */
export async function installPeer(
  name: string,
  install: (directory: string) => Promise<unknown>,
): Promise<string> {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const directory = join(cache, 'device-portal', 'peers', name);
  const mark = join(directory, '.installed');
  const isInstalled = await access(mark).then(
    () => true,
    () => false,
  );
  if (isInstalled) return directory;
  console.log(`Installing ${name}`);
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  await install(directory);
  await writeFile(mark, '');
  return directory;
}
