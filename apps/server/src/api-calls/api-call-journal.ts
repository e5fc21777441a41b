import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Buffers calls before they are written to the database, in files with one line of JSON per call. Appended lines reach
 * the operating system immediately, so a killed server loses none of them.
 */
export interface ApiCallJournal extends Disposable {
  /** Synchronous; takes microseconds. */
  append(line: string): void;
  /** Closes the current file unless it is empty, and returns all closed files, oldest first. */
  listClosed(): readonly string[];
  /** Complete lines of a closed file. A line that was truncated by a crash of the machine is omitted. */
  read(file: string): Promise<string[]>;
  remove(file: string): Promise<void>;
}

const EXTENSION = '.jsonl';

/** @param dir used by this server only; files of a previous process count as closed */
export function openApiCallJournal(dir: string): ApiCallJournal {
  mkdirSync(dir, { recursive: true });
  const closed = readdirSync(dir)
    .filter((name) => name.endsWith(EXTENSION))
    .toSorted()
    .map((name) => join(dir, name));
  let current: { readonly file: string; readonly descriptor: number } | undefined;

  const open = (): { readonly file: string; readonly descriptor: number } => {
    const file = join(dir, `${String(Date.now()).padStart(15, '0')}-${randomUUID()}${EXTENSION}`);
    return { file, descriptor: openSync(file, 'ax', 0o600) };
  };
  const close = (): void => {
    if (current === undefined) return;
    closeSync(current.descriptor);
    closed.push(current.file);
    current = undefined;
  };
  return {
    append(line) {
      current ??= open();
      writeSync(current.descriptor, `${line}\n`);
    },
    listClosed() {
      close();
      return [...closed];
    },
    async read(file) {
      const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
      return lines.filter(isWhole);
    },
    async remove(file) {
      await rm(file, { force: true });
      closed.splice(closed.indexOf(file), 1);
    },
    [Symbol.dispose]: close,
  };
}

function isWhole(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}
