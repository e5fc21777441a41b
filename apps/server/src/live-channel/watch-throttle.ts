const AT_ONCE = 10;
const PER_SECOND = 4;

/** Limits how often a viewer may change what it watches: each change costs database reads. */
export class WatchThrottle {
  #left = AT_ONCE;
  #refilledAtMs = 0;

  /** How long the request must be delayed; 0 if it can be processed now. Times are those of `performance.now()`. */
  take(nowMs: number): number {
    const back = ((nowMs - this.#refilledAtMs) * PER_SECOND) / 1_000;
    this.#left = Math.min(AT_ONCE, this.#left + back);
    this.#refilledAtMs = nowMs;
    if (this.#left < 1) return (1_000 * (1 - this.#left)) / PER_SECOND;
    this.#left -= 1;
    return 0;
  }
}
