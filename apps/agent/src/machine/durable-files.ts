/**
 * Directory changes that are atomic with respect to power failures. A rename alone ensures only the
 * name; the content must be synced before it (fsync(2), rename(2)).
 */

import type * as FileSystemModule from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The used part of `node:fs/promises`, as a parameter so that tests can stop before any call. */
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

/** Syncs everything in a directory, then the directory itself. */
export async function syncTree(fs: FileSystem, directory: string): Promise<void> {
  for (const entry of await fs.readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await syncTree(fs, path);
    else if (entry.isFile()) await sync(fs, path).catch(unlessForbidden);
  }
  await sync(fs, directory);
}

/**
 * A file that its owner cannot read cannot be opened and therefore not synced by an agent that is
 * not root.
 */
function unlessForbidden(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EACCES') throw error;
}

export async function moveDurably(fs: FileSystem, from: string, to: string): Promise<void> {
  await fs.rename(from, to);
  await sync(fs, dirname(to));
}

/** Replaces a small file atomically. */
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

/** Creates or replaces a symbolic link atomically. Its temporary name starts with a dot. */
export async function linkDurably(fs: FileSystem, path: string, target: string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.new`);
  await fs.rm(temporary, { force: true });
  await fs.symlink(target, temporary);
  await moveDurably(fs, temporary, path);
}
