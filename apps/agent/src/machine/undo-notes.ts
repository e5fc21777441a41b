/**
 * Data that a command keeps for its undo: a directory `<state>/undo/<invocation>`, kept for 30 days
 * after the command. Scripts find it as `$DEVICEPORTAL_UNDO`, and the undo finds what the command
 * wrote there.
 */

import * as fs from 'node:fs/promises';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from './durable-files.ts';

/** Number of versions of a package that are kept for an undo. */
const MOST_VERSIONS = 3;
const packageNoteSchema = z.object({ name: z.string(), version: z.string().nullable() });
/** Starts with a dot, because scripts choose names in the same directory. */
const noteOf = (name: string): string => `.package-${name}.json`;

/** The version of a package before a command; null if it was not installed. */
type PackageNote = z.infer<typeof packageNoteSchema>;

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

  /**
   * The first note is kept, so that an agent that resumes after a kill knows what the command has
   * already done.
   */
  async notePackage(invocationId: string, note: PackageNote): Promise<void> {
    if ((await this.packageBefore(invocationId, note.name)) !== null) return;
    const directory = await this.open(invocationId);
    await writeDurably(fs, join(directory, noteOf(note.name)), JSON.stringify(note));
  }

  /** Null if there is no note. */
  packageBefore(invocationId: string, name: string): Promise<PackageNote | null> {
    return readNote(join(this.#root, invocationId, noteOf(name)));
  }

  /** The latest versions of each package that an undo may need, as `name@version`. */
  async notedVersions(): Promise<readonly string[]> {
    const found: { readonly note: PackageNote; readonly at: number }[] = [];
    for (const invocation of await readdir(this.#root).catch(() => [])) {
      const directory = join(this.#root, invocation);
      for (const file of await readdir(directory).catch(() => [])) {
        if (!file.startsWith(noteOf('').slice(0, -'.json'.length))) continue;
        const path = join(directory, file);
        const note = await readNote(path);
        if (note !== null) found.push({ note, at: (await stat(path)).mtimeMs });
      }
    }
    const byName = Map.groupBy(
      found.toSorted((one, other) => other.at - one.at),
      ({ note }) => note.name,
    );
    return [...byName.values()].flatMap((notes) => {
      const versions = notes.flatMap(({ note }) => note.version ?? []);
      return [...new Set(versions)]
        .slice(0, MOST_VERSIONS)
        .map((version) => `${notes[0]?.note.name}@${version}`);
    });
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

async function readNote(path: string): Promise<PackageNote | null> {
  try {
    return packageNoteSchema.safeParse(JSON.parse(await readFile(path, 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}
