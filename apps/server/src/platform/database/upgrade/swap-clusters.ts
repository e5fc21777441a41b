import { access, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFolder } from '../../files/flush-folder.ts';

/** Folders in the data folder during an upgrade. */
export interface UpgradeFolders {
  readonly current: string;
  /** Until it is complete. */
  readonly draft: string;
  /** Complete, and to become the current one. */
  readonly next: string;
  /** The cluster before the upgrade. */
  readonly before: (major: number) => string;
  /** The rows on their way. */
  readonly rows: string;
}

export const upgradeFolders = (dataDir: string): UpgradeFolders => ({
  current: join(dataDir, 'postgres'),
  draft: join(dataDir, 'postgres-upgrade'),
  next: join(dataDir, 'postgres-upgraded'),
  before: (major) => join(dataDir, `postgres-${major}`),
  rows: join(dataDir, 'postgres-upgrade.rows'),
});

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
