/**
 * Changes to a directory that a power cut leaves either undone or done. A rename alone promises only that: which
 * bytes the new name leads to is decided by what was synced before it (fsync(2), rename(2)).
 */

import type * as FileSystemModule from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** What is used of `node:fs/promises`; a parameter, so that a test can stop the world before any one call. */
export type FileSystem = Pick<
  typeof FileSystemModule,
  'mkdir' | 'open' | 'readdir' | 'readFile' | 'readlink' | 'rename' | 'rm' | 'symlink'
>;

export async function sync(fs: FileSystem, path: string): Promise<void> {
  const handle = await fs.open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Everything below a directory, then the directory itself. */
export async function syncTree(fs: FileSystem, directory: string): Promise<void> {
  for (const entry of await fs.readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await syncTree(fs, path);
    else if (entry.isFile()) await sync(fs, path).catch(unlessForbidden);
  }
  await sync(fs, directory);
}

/** A file that its owner may not read cannot be opened, and so not be synced, by an agent that is not root. */
function unlessForbidden(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EACCES') throw error;
}

export async function moveDurably(fs: FileSystem, from: string, to: string): Promise<void> {
  await fs.rename(from, to);
  await sync(fs, dirname(to));
}

/** Replaces a small file as a whole. */
export async function writeDurably(fs: FileSystem, path: string, text: string): Promise<void> {
  const temporary = `${path}.new`;
  const handle = await fs.open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await moveDurably(fs, temporary, path);
}

/** Makes or replaces a symbolic link in one step. Its temporary name begins with a dot. */
export async function linkDurably(fs: FileSystem, path: string, target: string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.new`);
  await fs.rm(temporary, { force: true });
  await fs.symlink(target, temporary);
  await moveDurably(fs, temporary, path);
}
