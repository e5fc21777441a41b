const AT_ONCE = 10;
const PER_SECOND = 4;

/** When a viewer may say again what it looks at: each time, the database is asked what of it may be seen. */
export class WatchPace {
  #left = AT_ONCE;
  #refilledAtMs = 0;

  /** How long the watch has to wait; 0 where it counts now. Times are those of `performance.now()`. */
  take(nowMs: number): number {
    const back = ((nowMs - this.#refilledAtMs) * PER_SECOND) / 1_000;
    this.#left = Math.min(AT_ONCE, this.#left + back);
    this.#refilledAtMs = nowMs;
    if (this.#left < 1) return (1_000 * (1 - this.#left)) / PER_SECOND;
    this.#left -= 1;
    return 0;
  }
}
