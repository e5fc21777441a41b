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
/** A server appends to a file for this time at most. */
const FILE_LIMIT_MS = 5_000;
/**
 * Files of other processes that are older than this are not written to anymore: their server was killed, or is another
 * one with the same directory that could not write them to the database yet.
 */
const LEFT_BEHIND_MS = 60_000;
const LOOK_INTERVAL_MS = 30_000;
const TIME_DIGITS = 15;

export interface ApiCallJournalOptions {
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

/** @param dir can be shared by servers; files that another process has left behind count as closed */
export function openApiCallJournal(
  dir: string,
  { clock = Date.now }: ApiCallJournalOptions = {},
): ApiCallJournal {
  mkdirSync(dir, { recursive: true });
  const left = createSearch(dir, clock);
  const closed = new Set<string>();
  let current: OpenFile | undefined;
  const close = (): void => {
    if (current === undefined) return;
    closeSync(current.descriptor);
    closed.add(current.file);
    current = undefined;
  };
  return {
    append(line) {
      if (current !== undefined && clock() - current.openedAt > FILE_LIMIT_MS) close();
      current ??= openFile(dir, clock());
      writeSync(current.descriptor, `${line}\n`);
    },
    listClosed() {
      for (const file of left()) closed.add(file);
      close();
      return [...closed];
    },
    async read(file) {
      // Another server with the same directory may have removed it.
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw error;
      });
      return text.split('\n').slice(0, -1).filter(isWhole);
    },
    async remove(file) {
      await rm(file, { force: true });
      closed.delete(file);
    },
    [Symbol.dispose]: close,
  };
}

interface OpenFile {
  readonly file: string;
  readonly descriptor: number;
  readonly openedAt: number;
}

function openFile(dir: string, openedAt: number): OpenFile {
  const name = `${String(openedAt).padStart(TIME_DIGITS, '0')}-${randomUUID()}${EXTENSION}`;
  const file = join(dir, name);
  return { file, descriptor: openSync(file, 'ax', 0o600), openedAt };
}

/** Finds files that were left behind, oldest first; looks only every now and then. */
function createSearch(dir: string, clock: () => number): () => readonly string[] {
  let lookedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (clock() - lookedAt < LOOK_INTERVAL_MS) return [];
    lookedAt = clock();
    return readdirSync(dir)
      .filter((name) => name.endsWith(EXTENSION) && openedAtOf(name) < clock() - LEFT_BEHIND_MS)
      .toSorted()
      .map((name) => join(dir, name));
  };
}

const openedAtOf = (name: string): number => Number(name.slice(0, TIME_DIGITS));

function isWhole(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}
