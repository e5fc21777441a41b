import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** Files out of a backup: aside while the tables are filled, in their places once all went well. */
export class RestoredFiles implements AsyncDisposable {
  readonly #dataDir: string;
  readonly #aside: string;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
    this.#aside = join(dataDir, 'restoring');
  }

  /** The pieces of a file come in order. */
  async add(path: string, at: number, content: string): Promise<void> {
    const target = join(this.#aside, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const file = await open(target, at === 0 ? 'w' : 'r+', 0o600);
    try {
      await file.write(Buffer.from(content, 'base64'), 0, undefined, at);
      if (at === 0) await file.chmod(0o600);
    } finally {
      await file.close();
    }
  }

  async keep(): Promise<void> {
    // A backup without files has no such folder.
    const entries = await readdir(this.#aside, { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    for (const entry of entries.filter((each) => each.isFile())) {
      const from = join(entry.parentPath, entry.name);
      const target = join(this.#dataDir, relative(this.#aside, from));
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(from, target);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#aside, { recursive: true, force: true });
  }
}
