import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Deletes the files of one folder that were last written before a moment; folders in it stay. A folder that does not
 * exist has none.
 * @returns how many went
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
    // Another server may be quicker: what is gone is gone.
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || found.mtime >= before) continue;
    await rm(path, { force: true });
    count += 1;
  }
  return count;
}
