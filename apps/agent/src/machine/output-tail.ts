/** Follows a growing file and returns complete characters with their byte position. */

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
   * Returns what was written since the last call. An incomplete character is held back, unless
   * `final` is set; it is then replaced with U+FFFD. Returns the position in the file.
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

  /** Called when the file was truncated to this size. */
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

/** Number of bytes up to the last complete UTF-8 character; invalid bytes count as complete. */
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
