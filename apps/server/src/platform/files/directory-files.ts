import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { withSafeKeys } from './file-key.ts';
import { DirectoryUpload } from './directory-upload.ts';
import type { FileContent, FileStore, FoundFile, PutOptions, StoredFile } from './file-store.ts';
import { digesting } from './digesting.ts';
import { flushFolder } from './flush-folder.ts';

/**
 * `spread` puts flat keys into folders named after their first two characters, so that no folder grows too large;
 * `nested` has keys with one folder.
 */
export type DirectoryLayout = 'flat' | 'spread' | 'nested';

/** Relative path of a file with a valid key. */
export const pathIn = (layout: DirectoryLayout, key: string): string =>
  layout === 'spread' ? `${key.slice(0, 2)}/${key}` : key;

/** Files in a directory: written beside their final name, flushed to the disk, then renamed. */
export function createDirectoryFiles(
  directory: string,
  layout: DirectoryLayout = 'flat',
): FileStore {
  const shape = layout === 'nested' ? 'nested' : 'flat';
  const pathOf = (key: string): string => join(directory, pathIn(layout, key));
  const store: FileStore = {
    pathOf,
    put: (key, content, options) => putFile(pathOf(key), content, options),
    async open(key, range) {
      const file = await open(pathOf(key)).catch(unlessMissing);
      if (file === undefined) return undefined;
      const found = await file.stat();
      if (found.isFile()) return { bytes: found.size, content: file.createReadStream(range) };
      await file.close();
      return undefined;
    },
    find: (key) => findFile(pathOf(key), key),
    async *list(prefix) {
      for await (const { key, path } of filesIn(directory, { layout, prefix })) {
        if (pathOf(key) !== path) continue;
        const found = await findFile(path, key);
        if (found !== undefined) yield found;
      }
    },
    async remove(key) {
      const path = pathOf(key);
      await rm(path, { force: true });
      for (const draft of await draftsOf(path)) await rm(draft, { force: true });
    },
    beginUpload: (key, bytes) => new DirectoryUpload(pathOf(key), bytes),
    async removeUnfinished({ before, prefix = '' }) {
      let count = 0;
      for await (const { path } of filesIn(directory, { layout, prefix })) {
        if (!path.endsWith('.part')) continue;
        const found = await findFile(path, '');
        if (found === undefined || (before !== undefined && found.modifiedAt >= before)) continue;
        await rm(path, { force: true });
        count += 1;
      }
      return count;
    },
  };
  return withSafeKeys(store, shape);
}

async function putFile(
  path: string,
  content: FileContent,
  { ifAbsent = false, signal }: PutOptions = {},
): Promise<StoredFile> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}~${randomUUID()}.part`;
  const { measure, result } = digesting();
  try {
    await pipeline(
      content,
      measure,
      createWriteStream(draft, { mode: 0o600, flush: true }),
      ...(signal === undefined ? [] : [{ signal }]),
    );
    await (ifAbsent ? link(draft, path) : rename(draft, path));
    await flushFolder(dirname(path));
    return result();
  } finally {
    await rm(draft, { force: true });
  }
}

async function findFile(path: string, key: string): Promise<FoundFile | undefined> {
  const found = await stat(path).catch(unlessMissing);
  if (found === undefined || !found.isFile()) return undefined;
  const { size, mtime, mtimeMs } = found;
  return { key, bytes: size, modifiedAt: mtime, revision: `${size}-${mtimeMs}` };
}

/** Leftovers of killed servers. */
async function draftsOf(path: string): Promise<string[]> {
  const [folder, name] = [dirname(path), basename(path)];
  const names = (await readdir(folder).catch(unlessMissing)) ?? [];
  const isDraft = (each: string): boolean =>
    each === `${name}.part` || (each.startsWith(`${name}~`) && each.endsWith('.part'));
  return names.filter(isDraft).map((each) => join(folder, each));
}

interface Walk {
  readonly layout: DirectoryLayout;
  readonly prefix: string;
}

/** All files that can have a key with the prefix, drafts included. */
async function* filesIn(
  directory: string,
  { layout, prefix }: Walk,
): AsyncGenerator<{ readonly key: string; readonly path: string }> {
  for await (const { name, isFolder } of entriesOf(directory)) {
    if (!isFolder) {
      if (name.startsWith(prefix)) yield { key: name, path: join(directory, name) };
      continue;
    }
    const start = layout === 'spread' ? name : `${name}/`;
    if (layout === 'flat' || !(start.startsWith(prefix) || prefix.startsWith(start))) continue;
    for await (const inner of entriesOf(join(directory, name))) {
      const key = layout === 'spread' ? inner.name : `${name}/${inner.name}`;
      if (!inner.isFolder && key.startsWith(prefix)) {
        yield { key, path: join(directory, name, inner.name) };
      }
    }
  }
}

async function* entriesOf(
  folder: string,
): AsyncGenerator<{ readonly name: string; readonly isFolder: boolean }> {
  const entries = await opendir(folder).catch(unlessMissing);
  if (entries === undefined) return;
  for await (const entry of entries) yield { name: entry.name, isFolder: entry.isDirectory() };
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}
