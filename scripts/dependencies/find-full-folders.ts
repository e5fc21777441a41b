import { dirname } from 'node:path';

/** Maximum number of files in a folder. Folders with more are split by subject. */
const MOST_FILES = 40;

/**
 * @returns a message for each folder with more files than {@link MOST_FILES}, not counting
 * subfolders
 */
export function findFullFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > MOST_FILES)
    .map(([folder, count]) => `${folder} holds ${count} files, ${MOST_FILES} at most`);
}
