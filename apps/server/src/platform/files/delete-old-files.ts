import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Deletes files directly in a folder that were last modified before a time. Subfolders and missing
 * folders are ignored.
 * @returns the number of deleted files
 */
export async function deleteOldFiles(folder: string, before: Date): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  let count = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(folder, entry.name);
    // Another server may have deleted the file.
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || found.mtime >= before) continue;
    await rm(path, { force: true });
    count += 1;
  }
  return count;
}
