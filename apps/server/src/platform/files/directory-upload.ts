import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { digesting } from './digesting.ts';
import type { FileContent, FileUpload, StoredFile } from './file-store.ts';
import { flushFolder } from './flush-folder.ts';

/** An upload in a file beside its final name. */
export class DirectoryUpload implements FileUpload {
  readonly #path: string;
  readonly #part: string;
  readonly #bytes: number;

  constructor(path: string, bytes: number) {
    this.#path = path;
    this.#part = `${path}.part`;
    this.#bytes = bytes;
  }

  async storedBytes(): Promise<number> {
    return (await stat(this.#part).catch(() => undefined))?.size ?? 0;
  }

  async putPart(start: number, content: FileContent): Promise<number> {
    await mkdir(dirname(this.#part), { recursive: true, mode: 0o700 });
    await (await open(this.#part, 'a', 0o600)).close();
    if (start > (await this.storedBytes())) throw new RangeError('the part begins after a gap');
    await pipeline(content, createWriteStream(this.#part, { flags: 'r+', start }));
    return this.storedBytes();
  }

  async finish(): Promise<StoredFile> {
    const stored = await this.storedBytes();
    const isDone = stored === 0 && (await stat(this.#path).catch(() => undefined)) !== undefined;
    if (!isDone && stored !== this.#bytes) throw new RangeError('the upload is not complete');
    const digest = await digestOf(isDone ? this.#path : this.#part);
    if (isDone) return digest;
    const file = await open(this.#part, 'r+');
    await file.sync();
    await file.close();
    await rename(this.#part, this.#path);
    await flushFolder(dirname(this.#path));
    return digest;
  }

  async abort(): Promise<void> {
    await rm(this.#part, { force: true });
  }
}

async function digestOf(path: string): Promise<StoredFile> {
  const { measure, result } = digesting();
  await pipeline(createReadStream(path), measure, async (source) => {
    for await (const _chunk of source);
  });
  return result();
}
