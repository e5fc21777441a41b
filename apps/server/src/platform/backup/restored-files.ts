import { access, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { KEPT_FOLDERS } from './backup-format.ts';

/** Beside the other folders of a data folder, as long as a restore is under way. */
export const asideOf = (dataDir: string): string => join(dataDir, 'restoring');

/** Files out of a backup: aside until the restore is proven, in their places then. Disposing removes what is aside. */
export class RestoredFiles implements AsyncDisposable {
  readonly #dataDir: string;
  /** A data folder of its own. */
  readonly aside: string;

  private constructor(dataDir: string) {
    this.#dataDir = dataDir;
    this.aside = asideOf(dataDir);
  }

  /** Without what an earlier restore left aside. */
  static async begin(dataDir: string): Promise<RestoredFiles> {
    const files = new RestoredFiles(dataDir);
    await rm(files.aside, { recursive: true, force: true });
    await mkdir(files.aside, { recursive: true, mode: 0o700 });
    return files;
  }

  /** The pieces of a file come in order. */
  async add(path: string, at: number, content: string): Promise<void> {
    const target = join(this.aside, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const file = await open(target, at === 0 ? 'w' : 'r+', 0o600);
    try {
      await file.write(Buffer.from(content, 'base64'), 0, undefined, at);
      if (at === 0) await file.chmod(0o600);
    } finally {
      await file.close();
    }
  }

  /** Keys that the data folder has already stay as they are: they are at least as new. */
  async keep(): Promise<void> {
    const entries = await readdir(this.aside, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((each) => each.isFile())) {
      const from = join(entry.parentPath, entry.name);
      const path = relative(this.aside, from);
      const target = join(this.#dataDir, path);
      if (isKey(path) && (await exists(target))) continue;
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(from, target);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.aside, { recursive: true, force: true });
  }
}

const isKey = (path: string): boolean =>
  KEPT_FOLDERS.some((each) => each === path.split(sep, 1)[0]);

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
