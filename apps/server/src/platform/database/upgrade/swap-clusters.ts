import { access, rename, rm } from 'node:fs/promises';
import { flushFolder } from '../../files/flush-folder.ts';
import { upgradeFolders } from './upgrade-folders.ts';

/**
 * Replaces the cluster by a complete upgraded one, if there is one. Repeated after an interruption, it continues.
 *
 * @param readMajor major version of the current cluster
 */
export async function swapClusters(
  dataDir: string,
  readMajor: () => Promise<number | undefined>,
): Promise<void> {
  const folders = upgradeFolders(dataDir);
  if (!(await exists(folders.next))) return;
  const major = await readMajor();
  if (major !== undefined) {
    await rename(folders.current, folders.before(major));
    await flushFolder(dataDir);
  }
  await rename(folders.next, folders.current);
  await flushFolder(dataDir);
}

/** What an interrupted upgrade has left. */
export async function removeDrafts(dataDir: string): Promise<void> {
  const { draft, rows } = upgradeFolders(dataDir);
  for (const each of [draft, `${draft}.new`, rows, `${rows}.partial`, `${rows}.files`]) {
    await rm(each, { recursive: true, force: true });
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
