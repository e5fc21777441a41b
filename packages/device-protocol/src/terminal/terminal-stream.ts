/**
 * A stream of bytes over messages that can be lost, repeated, and reordered. The receiver takes bytes
 * in order and drops everything after a gap; the sender goes back to what is not acknowledged.
 */

export interface StreamChunk {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

export interface StreamSenderOptions {
  readonly chunkBytes: number;
  /** How far the receiver reads before it has allowed more. */
  readonly limit: number;
  /** Time without an acknowledgment after which chunks are sent again; doubled up to 8 times this. */
  readonly retryMs: number;
}

export class StreamSender {
  readonly #options: StreamSenderOptions;
  /** Pieces from `#acknowledged` on; the first one can begin earlier. */
  #pieces: StreamChunk[] = [];
  #acknowledged = 0;
  #sent = 0;
  #end = 0;
  #limit: number;
  #waitMs: number;
  #retryAtMs = Number.POSITIVE_INFINITY;

  constructor(options: StreamSenderOptions) {
    this.#options = options;
    this.#limit = options.limit;
    this.#waitMs = options.retryMs;
  }

  /** Number of bytes that were added. */
  get end(): number {
    return this.#end;
  }

  /** Bytes that are held, because they are not acknowledged. */
  get held(): number {
    return this.#end - this.#acknowledged;
  }

  get isSettled(): boolean {
    return this.held === 0;
  }

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#pieces.push({ offset: this.#end, bytes });
    this.#end += bytes.length;
  }

  acknowledge(upTo: number): void {
    if (upTo <= this.#acknowledged || upTo > this.#end) return;
    this.#acknowledged = upTo;
    this.#sent = Math.max(this.#sent, upTo);
    this.#waitMs = this.#options.retryMs;
    this.#retryAtMs = Number.POSITIVE_INFINITY;
    const first = this.#pieces.findIndex(({ offset, bytes }) => offset + bytes.length > upTo);
    this.#pieces = first < 0 ? [] : this.#pieces.slice(first);
  }

  /** The receiver takes bytes up to this offset. Never less than before. */
  allow(limit: number): void {
    this.#limit = Math.max(this.#limit, limit);
  }

  /** Sends everything again that is not acknowledged, as after a new connection. */
  rewind(): void {
    this.#sent = this.#acknowledged;
    this.#retryAtMs = Number.POSITIVE_INFINITY;
  }

  /** The next chunks, at most `most` bytes. They count as sent. */
  take(nowMs: number, most = Number.POSITIVE_INFINITY): StreamChunk[] {
    if (this.#acknowledged < this.#sent && nowMs >= this.#retryAtMs) {
      this.#waitMs = Math.min(this.#waitMs * 2, this.#options.retryMs * 8);
      this.rewind();
    }
    const chunks: StreamChunk[] = [];
    let left = most;
    while (left > 0 && this.#sent < Math.min(this.#end, this.#limit)) {
      const bytes = this.#read(this.#sent, Math.min(left, this.#options.chunkBytes));
      chunks.push({ offset: this.#sent, bytes });
      this.#sent += bytes.length;
      left -= bytes.length;
    }
    if (this.#acknowledged < this.#sent && this.#retryAtMs === Number.POSITIVE_INFINITY)
      this.#retryAtMs = nowMs + this.#waitMs;
    return chunks;
  }

  #read(from: number, most: number): Uint8Array {
    const until = Math.min(from + most, this.#end, this.#limit);
    const parts = this.#pieces
      .filter(({ offset, bytes }) => offset < until && offset + bytes.length > from)
      .map(({ offset, bytes }) => bytes.subarray(Math.max(0, from - offset), until - offset));
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : join(parts);
  }
}

/** The bytes of a chunk that follow `upTo`; null for a repeated chunk, and after a gap. */
export function newBytes(upTo: number, { offset, bytes }: StreamChunk): Uint8Array | null {
  if (offset > upTo || offset + bytes.length <= upTo) return null;
  return bytes.subarray(upTo - offset);
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
