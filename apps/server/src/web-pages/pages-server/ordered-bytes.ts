import { newBytes, type StreamChunk } from '@deviceportal/device-protocol/terminal-stream';

/**
 * Bytes in order. With several gateways, messages of a device overtake each other: those that are early are
 * held, so that the device need not send them again.
 */
export class OrderedBytes {
  readonly #early = new Map<number, Uint8Array>();
  readonly #limit: number;
  #held = 0;
  #upTo = 0;

  /** @param limit bytes that are held */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** All bytes before this offset have arrived. */
  get upTo(): number {
    return this.#upTo;
  }

  /** What can be read now, in order. */
  take(chunk: StreamChunk): Uint8Array[] {
    const ready: Uint8Array[] = [];
    for (let next: StreamChunk | undefined = chunk; next !== undefined; next = this.#following()) {
      const bytes = newBytes(this.#upTo, next);
      if (bytes === null) this.#hold(next);
      else {
        this.#upTo += bytes.length;
        ready.push(bytes);
      }
    }
    return ready;
  }

  #hold({ offset, bytes }: StreamChunk): void {
    const isLate = offset <= this.#upTo || this.#early.has(offset);
    if (isLate || this.#held + bytes.length > this.#limit) return;
    this.#early.set(offset, bytes);
    this.#held += bytes.length;
  }

  /** The held chunk that continues, or repeats, what has arrived. */
  #following(): StreamChunk | undefined {
    for (const [offset, bytes] of this.#early) {
      if (offset > this.#upTo) continue;
      this.#early.delete(offset);
      this.#held -= bytes.length;
      return { offset, bytes };
    }
    return undefined;
  }
}
