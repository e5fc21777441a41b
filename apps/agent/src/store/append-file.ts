/**
 * An append-only file with one record per line. When `flush` resolves, all previous records are
 * written (and, with `sync`, on disk). Appends are batched. A kill during a write leaves an
 * incomplete last line, which is removed when the file is opened.
 */

import { mkdir, open, readFile, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface AppendFileOptions {
  readonly path: string;
  /** Waits for the disk (fdatasync), so that a power failure loses nothing. */
  readonly sync: boolean;
}

export interface OpenedAppendFile {
  readonly file: AppendFile;
  readonly lines: readonly string[];
}

const NEWLINE = 0x0a;

/** Opens or creates the file (mode 0600) and returns its complete lines. */
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

  /** Current size in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  append(line: string): void {
    this.#pending.push(line);
  }

  /**
   * Resolves when all previous records are written. Rejects if the disk is full, and keeps the
   * records.
   */
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

  /** Replaces the content atomically. */
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
    // The snapshot is taken synchronously and therefore includes all pending records.
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
