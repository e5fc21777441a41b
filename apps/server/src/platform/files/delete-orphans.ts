import type { FileStore } from './file-store.ts';

const FILES_AT_ONCE = 500;

/**
 * Deletes orphaned files of a store, left by interrupted uploads and killed servers, on whichever server they began.
 * Recent files are kept, because their rows may not be committed yet.
 * @param keptOf which of these keys are referenced
 * @returns the number of deleted files
 */
export async function deleteOrphans(
  files: FileStore,
  before: Date,
  keptOf: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<number> {
  let count = await files.removeUnfinished({ before });
  let old: string[] = [];
  const deleteUnused = async (): Promise<void> => {
    const kept = await keptOf(old);
    for (const key of old.filter((each) => !kept.has(each))) {
      await files.remove(key);
      count += 1;
    }
    old = [];
  };
  for await (const { key, modifiedAt } of files.list('')) {
    if (modifiedAt < before) old.push(key);
    if (old.length === FILES_AT_ONCE) await deleteUnused();
  }
  if (old.length > 0) await deleteUnused();
  return count;
}
