/**
 * What a command leaves behind for its undo: a directory of its own, `<state>/undo/<invocation>`, that outlives the
 * command by 30 days. Scripts find it as `$DEVICEPORTAL_UNDO`; the undo finds there what the command has written.
 */

import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const KEPT_MS = 30 * 24 * 3_600_000;

export class UndoNotes {
  readonly #root: string;

  constructor(stateDirectory: string) {
    this.#root = join(stateDirectory, 'undo');
  }

  async open(invocationId: string): Promise<string> {
    const directory = join(this.#root, invocationId);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return directory;
  }

  async removeOld(nowMs: number): Promise<void> {
    for (const name of await readdir(this.#root).catch(() => [])) {
      const path = join(this.#root, name);
      const found = await stat(path).catch(() => null);
      if (found && found.mtimeMs < nowMs - KEPT_MS)
        await rm(path, { recursive: true, force: true });
    }
  }
}
