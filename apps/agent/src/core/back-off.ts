/**
 * Exponential back-off with full jitter: a fleet that lost its server must not return in one wave.
 * Ours: libraries (p-retry, exponential-backoff) run a function again; a connection that comes back by events needs the
 * length of the pause alone, one line here.
 */

export interface BackOffOptions {
  readonly baseMs: number;
  readonly capMs: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

export class BackOff {
  readonly #options: BackOffOptions;
  #failures = 0;

  constructor(options: BackOffOptions) {
    this.#options = options;
  }

  /** The wait before the next attempt, in milliseconds. */
  next(): number {
    const ceiling = Math.min(this.#options.capMs, this.#options.baseMs * 2 ** this.#failures);
    this.#failures += 1;
    return Math.round(this.#options.random() * ceiling);
  }

  reset(): void {
    this.#failures = 0;
  }
}
