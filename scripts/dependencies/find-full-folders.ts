import { dirname } from 'node:path';

/** As many files as a person takes in at a glance; with more, a folder is split by subject. */
const MOST_FILES = 40;

/** @returns a sentence for each folder that holds more files than {@link MOST_FILES}, those of its own folders aside. */
export function findFullFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > MOST_FILES)
    .map(([folder, count]) => `${folder} holds ${count} files, ${MOST_FILES} at most`);
}
