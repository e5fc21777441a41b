import type { FileStore } from './file-store.ts';

/**
 * Deletes the files of a store that were last modified before a time, unfinished ones included.
 * @returns the number of deleted files
 */
export async function deleteOldFiles(files: FileStore, before: Date): Promise<number> {
  let count = await files.removeUnfinished({ before });
  for await (const { key, modifiedAt } of files.list('')) {
    if (modifiedAt >= before) continue;
    await files.remove(key);
    count += 1;
  }
  return count;
}
