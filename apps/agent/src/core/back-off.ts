/**
 * Exponential back-off with full jitter, so that a fleet does not reconnect in one wave after an
 * outage. Own code: libraries (p-retry, exponential-backoff) run a function again, but a connection
 * that returns by events needs only the delay, which is one line here.
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

  /** The delay before the next attempt, in milliseconds. */
  next(): number {
    const ceiling = Math.min(this.#options.capMs, this.#options.baseMs * 2 ** this.#failures);
    this.#failures += 1;
    return Math.round(this.#options.random() * ceiling);
  }

  reset(): void {
    this.#failures = 0;
  }
}
