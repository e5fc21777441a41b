/** Twice as many as can be open. */
const MOST_SESSIONS = 400;
const MOST_BYTES = 64 * 1_024;

export interface RecentChunk {
  readonly event: number;
  readonly position: number;
  readonly data: Uint8Array;
}

/**
 * The last output of sessions that this server has stored, so that a browser that is connected to it
 * need not read it from the database. Never more than what is committed.
 */
export class RecentOutput {
  readonly #chunks = new Map<string, RecentChunk>();

  put(sessionId: string, chunk: RecentChunk): void {
    this.#chunks.delete(sessionId);
    if (chunk.data.length > MOST_BYTES) return;
    if (this.#chunks.size >= MOST_SESSIONS) this.#chunks.clear();
    this.#chunks.set(sessionId, chunk);
  }

  /** The chunk that contains this position; undefined if it is another one. */
  at(sessionId: string, position: number): RecentChunk | undefined {
    const chunk = this.#chunks.get(sessionId);
    if (chunk === undefined || position < chunk.position) return undefined;
    return position < chunk.position + chunk.data.length ? chunk : undefined;
  }

  forget(sessionId: string): void {
    this.#chunks.delete(sessionId);
  }
}
