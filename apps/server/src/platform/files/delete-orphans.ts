import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const FILES_AT_ONCE = 500;

type KeptOf = (names: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Deletes orphaned files of a store (a folder of folders), left by interrupted uploads and killed
 * servers. Recent files are kept, because their rows may not be committed yet.
 * @param keptOf which of these names are referenced
 * @returns the number of deleted files
 */
export async function deleteOrphans(
  directory: string,
  before: Date,
  keptOf: KeptOf,
): Promise<number> {
  let count = 0;
  for (const folder of await namesIn(directory)) {
    count += await deleteOrphansIn(join(directory, folder), before, keptOf);
  }
  return count;
}

/** The same for the files of one folder. */
export async function deleteOrphansIn(
  folder: string,
  before: Date,
  keptOf: KeptOf,
): Promise<number> {
  let count = 0;
  const old = await oldFiles(folder, before);
  for (let at = 0; at < old.length; at += FILES_AT_ONCE) {
    const names = old.slice(at, at + FILES_AT_ONCE);
    const kept = await keptOf(names);
    for (const name of names.filter((each) => !kept.has(each))) {
      await rm(join(folder, name), { force: true });
      count += 1;
    }
  }
  return count;
}

async function oldFiles(folder: string, before: Date): Promise<string[]> {
  const old: string[] = [];
  for (const name of await namesIn(folder)) {
    // Another server may have deleted the file.
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
