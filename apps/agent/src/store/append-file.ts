/**
 * A file that only grows: one record a line. What was appended when `flush` resolves has been written
 * (and, with `sync`, has reached the disk); many appends share one write. A kill in the middle of a write
 * leaves a torn last line, which the next opening cuts off.
 */

import { mkdir, open, readFile, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface AppendFileOptions {
  readonly path: string;
  /** Wait for the disk (fdatasync), so that a power cut loses nothing either. */
  readonly sync: boolean;
}

export interface OpenedAppendFile {
  readonly file: AppendFile;
  readonly lines: readonly string[];
}

const NEWLINE = 0x0a;

/** Opens or creates the file (mode 0600) and returns the whole lines that it holds. */
export async function openAppendFile(options: AppendFileOptions): Promise<OpenedAppendFile> {
  await mkdir(dirname(options.path), { recursive: true, mode: 0o700 });
  const handle = await open(options.path, 'a+', 0o600);
  const content = await readFile(options.path);
  const wholeBytes = content.lastIndexOf(NEWLINE) + 1;
  if (wholeBytes < content.length) await handle.truncate(wholeBytes);
  const text = content.subarray(0, wholeBytes).toString('utf8');
  const lines = text === '' ? [] : text.slice(0, -1).split('\n');
  return { file: new AppendFile(options, handle, wholeBytes), lines };
}

export class AppendFile implements AsyncDisposable {
  readonly #options: AppendFileOptions;
  #handle: FileHandle;
  #bytes: number;
  #pending: string[] = [];
  #queued: Promise<void> | undefined;
  #tail: Promise<void> = Promise.resolve();
  #torn = false;

  constructor(options: AppendFileOptions, handle: FileHandle, bytes: number) {
    this.#options = options;
    this.#handle = handle;
    this.#bytes = bytes;
  }

  /** Bytes of the file so far. */
  get bytes(): number {
    return this.#bytes;
  }

  append(line: string): void {
    this.#pending.push(line);
  }

  /** Resolves when everything appended so far is written; rejects when the disk refuses, and keeps it. */
  flush(): Promise<void> {
    if (this.#queued) return this.#queued;
    if (this.#pending.length === 0) return this.#tail;
    const queued = this.#tail.then(() => {
      this.#queued = undefined;
      return this.#writePending();
    });
    this.#queued = queued;
    this.#tail = queued.catch(() => {});
    return queued;
  }

  /** Replaces the whole content at once: a kill leaves either the old file or the new one. */
  rewrite(lines: () => Iterable<string>): Promise<void> {
    const rewritten = this.#tail.then(() => this.#replace(lines));
    this.#tail = rewritten.catch(() => {});
    return rewritten;
  }

  async #writePending(): Promise<void> {
    const lines = this.#pending;
    if (lines.length === 0) return;
    this.#pending = [];
    const block = Buffer.from(`${lines.join('\n')}\n`);
    try {
      if (this.#torn) await this.#handle.truncate(this.#bytes);
      this.#torn = true;
      await this.#handle.appendFile(block);
      if (this.#options.sync) await this.#handle.datasync();
      this.#torn = false;
      this.#bytes += block.length;
    } catch (error) {
      this.#pending = [...lines, ...this.#pending];
      throw error;
    }
  }

  async #replace(lines: () => Iterable<string>): Promise<void> {
    // The snapshot holds everything pending as well: it is taken now, in the same turn.
    const pending = this.#pending;
    this.#pending = [];
    const block = Buffer.from([...lines()].map((line) => `${line}\n`).join(''));
    try {
      await writeWhole(`${this.#options.path}.new`, block);
      await rename(`${this.#options.path}.new`, this.#options.path);
    } catch (error) {
      this.#pending = [...pending, ...this.#pending];
      throw error;
    }
    await this.#handle.close();
    this.#handle = await open(this.#options.path, 'a+', 0o600);
    this.#bytes = block.length;
    this.#torn = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush().catch(() => {});
    await this.#tail;
    await this.#handle.close();
  }
}

async function writeWhole(path: string, block: Buffer): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(block);
    await file.sync();
  } finally {
    await file.close();
  }
}
