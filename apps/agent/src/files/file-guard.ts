/**
 * Decides which files of this device a request reaches. A path is opened first, in a way that has no
 * effect on what it names. Its real path is then read from the open descriptor, and everything later
 * uses this descriptor: a symbolic link that is exchanged in between changes nothing.
 */

import { constants } from 'node:fs';
import { type FileHandle, open, readdir, readlink, realpath, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileRefused } from './file-refused.ts';
import { isPlainPath, type AllowedFolder } from './file-settings.ts';

/** Linux, open(2): names a file without opening it, so that devices and pipes notice nothing. */
const O_PATH = 0o10_000_000;

/**
 * File systems whose files show the kernel and its processes, or control them (statfs(2)): proc,
 * sysfs, debugfs, tracefs, securityfs, cgroup, cgroup2, configfs, devpts, bpf, pstore, efivarfs,
 * SELinux, binfmt_misc, mqueue.
 */
const KERNEL_FILE_SYSTEMS = new Set([
  0x9fa0, 0x62656572, 0x64626720, 0x74726163, 0x73636673, 0x27e0eb, 0x63677270, 0x62656570, 0x1cd1,
  0xcafe4a11, 0x6165676c, 0xde5e81e4, 0xf97cff8c, 0x42494e4d, 0x19800202,
]);

export interface FileGuardOptions {
  readonly folders: readonly AllowedFolder[];
  /** The state of the agent, with its keys. Only the exchange folder in it can be reached. */
  readonly stateDirectory: string;
}

interface RealFolder extends AllowedFolder {
  readonly realPath: string;
}

/** A file or folder that a request may use. */
export interface ReachedFile extends AsyncDisposable {
  readonly realPath: string;
  /** Names the same file, regardless of its path. */
  readonly link: string;
  readonly isFolder: boolean;
  readonly isFile: boolean;
  readonly isWritable: boolean;
  /** @throws FileRefused `outside` if the file was moved out of the allowed folders */
  readonly requireInside: () => Promise<void>;
}

export const exchangeFolderOf = (stateDirectory: string): string => join(stateDirectory, 'files');

export class FileGuard {
  readonly #options: FileGuardOptions;
  readonly #real = new Map<string, RealFolder>();

  constructor({ folders, stateDirectory }: FileGuardOptions) {
    const exchange = { path: exchangeFolderOf(stateDirectory), isWritable: true };
    this.#options = { stateDirectory, folders: [exchange, ...folders] };
  }

  /** The allowed folders that exist. */
  async folders(): Promise<RealFolder[]> {
    const found = await Promise.all(this.#options.folders.map((folder) => this.#realOf(folder)));
    return found.filter((folder) => folder !== null);
  }

  /** @throws FileRefused, or the error of the system */
  async reach(path: string): Promise<ReachedFile> {
    if (!isPlainPath(path)) throw new FileRefused('name');
    const folders = await this.folders();
    const isNamed = folders.some(
      (folder) => isWithin(path, folder.path) || isWithin(path, folder.realPath),
    );
    if (!isNamed) throw new FileRefused('outside');
    const handle = await open(path, O_PATH);
    try {
      return await this.#check(handle, folders);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async #check(handle: FileHandle, folders: readonly RealFolder[]): Promise<ReachedFile> {
    const link = `/proc/self/fd/${handle.fd}`;
    const realPath = await pathOf(link);
    const folder = innermost(folders, realPath);
    if (folder === undefined) throw new FileRefused('outside');
    const found = await handle.stat({ bigint: true });
    const { type } = await statfs(link);
    if (KERNEL_FILE_SYSTEMS.has(type)) throw new FileRefused('protected');
    if (await this.#isOwn(realPath, found)) throw new FileRefused('protected');
    return {
      ...{ realPath, link, isWritable: folder.isWritable },
      isFolder: found.isDirectory(),
      isFile: found.isFile(),
      async requireInside() {
        if (innermost(folders, await pathOf(link)) !== folder) throw new FileRefused('outside');
      },
      [Symbol.asyncDispose]: () => handle.close(),
    };
  }

  /** Keys, journal, and program of the agent: by path, and files also by inode, as with a hard link. */
  async #isOwn(
    realPath: string,
    found: { readonly dev: bigint; readonly ino: bigint; isFile(): boolean },
  ): Promise<boolean> {
    const state = await realpath(this.#options.stateDirectory);
    if (isWithin(realPath, state)) return !isWithin(realPath, exchangeFolderOf(state));
    if (!found.isFile()) return false;
    for (const name of await readdir(state)) {
      const own = await stat(join(state, name), { bigint: true }).catch(() => null);
      if (own?.dev === found.dev && own.ino === found.ino) return true;
    }
    return false;
  }

  /**
   * Resolved once: a folder that is replaced by a symbolic link later allows nothing else. Null while
   * it does not exist.
   */
  async #realOf(folder: AllowedFolder): Promise<RealFolder | null> {
    const known = this.#real.get(folder.path);
    if (known !== undefined) return known;
    const realPath = await realpath(folder.path).catch(() => null);
    if (realPath === null) return null;
    const real = { ...folder, realPath };
    this.#real.set(folder.path, real);
    return real;
  }
}

/** Opens a regular file for reading, by its descriptor. */
export async function openToRead(reached: ReachedFile): Promise<FileHandle> {
  if (!reached.isFile) throw new FileRefused('not-a-file');
  return open(reached.link, constants.O_RDONLY | constants.O_NONBLOCK);
}

/** The folder of a path, and the name in it. */
export const splitPath = (path: string): { readonly folder: string; readonly name: string } => {
  const folder = dirname(path);
  return { folder, name: path.slice(folder === '/' ? 1 : folder.length + 1) };
};

async function pathOf(link: string): Promise<string> {
  const bytes = await readlink(link, { encoding: 'buffer' });
  const path = bytes.toString();
  // Paths that are not UTF-8 could become equal to others.
  if (!Buffer.from(path).equals(bytes)) throw new FileRefused('name');
  return path;
}

function innermost(folders: readonly RealFolder[], path: string): RealFolder | undefined {
  return folders
    .filter(({ realPath }) => isWithin(path, realPath))
    .toSorted((one, other) => other.realPath.length - one.realPath.length)[0];
}

const isWithin = (path: string, folder: string): boolean =>
  path === folder || folder === '/' || path.startsWith(`${folder}/`);
