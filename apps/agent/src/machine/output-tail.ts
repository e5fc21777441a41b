/** Follows a growing file and hands out whole characters with the number of bytes they reach. */

import { open } from 'node:fs/promises';

const CHUNK_BYTES = 16 * 1024;

export type TailSink = (text: string, consumedBytes: number) => void;

export class OutputTail {
  readonly #path: string;
  readonly #sink: TailSink;
  #consumedBytes: number;

  constructor(path: string, consumedBytes: number, sink: TailSink) {
    this.#path = path;
    this.#consumedBytes = consumedBytes;
    this.#sink = sink;
  }

  /**
   * Hands out what has been written since. A character that is not whole yet waits, except `final`: then
   * nothing more will come and it becomes U+FFFD. Returns the size of the file read to.
   */
  async read(final: boolean): Promise<number> {
    const file = await openIfThere(this.#path);
    if (!file) return 0;
    try {
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, this.#consumedBytes);
        const chunk = buffer.subarray(0, bytesRead);
        const whole = final && bytesRead < CHUNK_BYTES ? bytesRead : wholeCharacters(chunk);
        if (whole === 0) return this.#consumedBytes;
        this.#consumedBytes += whole;
        this.#sink(chunk.subarray(0, whole).toString('utf8'), this.#consumedBytes);
      }
    } finally {
      await file.close();
    }
  }

  /** The file was cut back to this size. */
  cutTo(bytes: number): void {
    this.#consumedBytes = Math.min(this.#consumedBytes, bytes);
  }
}

async function openIfThere(path: string) {
  try {
    return await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** How many bytes end with a whole UTF-8 character; bytes that are no UTF-8 count as whole. */
export function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    const needed = sequenceLength(byte);
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  if (lead >= 0xe0) return lead < 0xf0 ? 3 : 1;
  return lead >= 0xc2 ? 2 : 1;
}
