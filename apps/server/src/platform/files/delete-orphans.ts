import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const FILES_AT_ONCE = 500;

/**
 * Deletes files of a store (a folder of folders) that nothing on record leads to: of uploads that broke off, and of what
 * a server that was killed had no time to remove. Younger ones are left alone, for their record may still be coming.
 * @param keptOf which of these names something on record leads to
 * @returns how many went
 */
export async function deleteOrphans(
  directory: string,
  before: Date,
  keptOf: (names: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<number> {
  let count = 0;
  for (const folder of await namesIn(directory)) {
    const old = await oldFiles(join(directory, folder), before);
    for (let at = 0; at < old.length; at += FILES_AT_ONCE) {
      const names = old.slice(at, at + FILES_AT_ONCE);
      const kept = await keptOf(names);
      for (const name of names.filter((each) => !kept.has(each))) {
        await rm(join(directory, folder, name), { force: true });
        count += 1;
      }
    }
  }
  return count;
}

async function oldFiles(folder: string, before: Date): Promise<string[]> {
  const old: string[] = [];
  for (const name of await namesIn(folder)) {
    // Another server may be quicker: what is gone is gone.
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found?.isFile() && found.mtime < before) old.push(name);
  }
  return old;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
}
