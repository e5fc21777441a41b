import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileStore } from './file-store.ts';

/** Files of a store for programs that read paths. */
export interface LocalCopies {
  readonly files: FileStore;
  /** Path of a file with its current content; undefined if there is no such file. */
  pathOf(key: string): Promise<string | undefined>;
}

/** A copy that was used within this time may be being read. */
const IN_USE_MS = 10 * 60_000;

export interface LocalCopiesOptions {
  readonly files: FileStore;
  /** Folder of copies, created when the first is needed. */
  readonly directory: string;
  /** Above it, the longest unused copies are deleted, except those used within the last minutes. */
  readonly limitBytes: number;
}

/**
 * Copies of files that are elsewhere, named after the digest of key and revision, so that a replaced file is copied
 * again. Each new copy deletes those of files that were deleted or replaced. Files of an engine with paths are used
 * where they are.
 */
export function createLocalCopies(options: LocalCopiesOptions): LocalCopies {
  const { files, directory } = options;
  const { pathOf } = files;
  if (pathOf !== undefined) {
    return {
      files,
      pathOf: async (key) => ((await files.find(key)) === undefined ? undefined : pathOf(key)),
    };
  }
  const copying = new Map<string, Promise<string | undefined>>();
  return {
    files,
    async pathOf(key) {
      const found = await files.find(key);
      if (found === undefined) return undefined;
      const path = join(directory, nameOf(found));
      if (await touch(path)) return path;
      const running =
        copying.get(path) ?? copy(options, key, path).finally(() => copying.delete(path));
      copying.set(path, running);
      return running;
    },
  };
}

const nameOf = ({ key, revision }: { readonly key: string; readonly revision: string }): string =>
  createHash('sha256')
    .update(JSON.stringify([key, revision]))
    .digest('hex');

/** False if there is no such copy. */
const touch = (path: string): Promise<boolean> =>
  utimes(path, new Date(), new Date()).then(
    () => true,
    () => false,
  );

async function copy(
  options: LocalCopiesOptions,
  key: string,
  path: string,
): Promise<string | undefined> {
  const opened = await options.files.open(key);
  if (opened === undefined) return undefined;
  const draft = `${path}.${randomUUID()}.part`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await pipeline(opened.content, createWriteStream(draft, { mode: 0o600 }));
    await rename(draft, path);
    await deleteUnused(options);
    return path;
  } finally {
    opened.content.destroy();
    await rm(draft, { force: true });
  }
}

async function deleteUnused({ files, directory, limitBytes }: LocalCopiesOptions): Promise<void> {
  const current = new Set<string>();
  for await (const found of files.list('')) current.add(nameOf(found));
  const names = await readdir(directory);
  const found = await Promise.all(names.map((name) => copyIn(directory, name)));
  const copies = found
    .flatMap((each) => each ?? [])
    .toSorted((one, other) => one.usedMs - other.usedMs);
  let bytes = copies.reduce((sum, each) => sum + each.bytes, 0);
  for (const { name, bytes: size, usedMs } of copies) {
    if (usedMs > Date.now() - IN_USE_MS) continue;
    if (current.has(name) && bytes <= limitBytes) continue;
    await rm(join(directory, name), { force: true });
    bytes -= size;
  }
}

async function copyIn(directory: string, name: string) {
  const found = await stat(join(directory, name)).catch(() => undefined);
  return found && { name, bytes: found.size, usedMs: found.mtimeMs };
}
