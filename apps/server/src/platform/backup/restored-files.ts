import { access, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { KEPT_FOLDERS } from './backup-format.ts';

/** Folder in the data folder that exists during a restore. */
export const asideOf = (dataDir: string): string => join(dataDir, 'restoring');

/**
 * Files of a backup: in the aside folder until the restore is verified, then moved into place.
 * Disposing removes the aside folder.
 */
export class RestoredFiles implements AsyncDisposable {
  readonly #dataDir: string;
  /** A separate data folder. */
  readonly aside: string;

  private constructor(dataDir: string) {
    this.#dataDir = dataDir;
    this.aside = asideOf(dataDir);
  }

  /** Removes the aside folder of an earlier restore. */
  static async begin(dataDir: string): Promise<RestoredFiles> {
    const files = new RestoredFiles(dataDir);
    await rm(files.aside, { recursive: true, force: true });
    await mkdir(files.aside, { recursive: true, mode: 0o700 });
    return files;
  }

  /** The parts of a file must be added in order. */
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

  /**
   * Moves the files into place. Existing keys of the data folder are kept, because they are at
   * least as new.
   */
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
