/** At most four a second for each viewer, evenly spaced. */
const SENDS_PER_SECOND = 4;
const SEND_INTERVAL_MS = 1_000 / SENDS_PER_SECOND;
/** What somebody has just begun to look at does not wait for its turn, only for this. */
const FRESH_INTERVAL_MS = 50;

/** When a viewer may be told the next thing. Times are those of `performance.now()`. */
export class SendPace {
  #lastMs = Number.NEGATIVE_INFINITY;
  #lastFreshMs = Number.NEGATIVE_INFINITY;

  /** @param isFresh whether a watch is answered for the first time */
  dueAtMs(isFresh: boolean): number {
    return isFresh ? this.#lastFreshMs + FRESH_INTERVAL_MS : this.#lastMs + SEND_INTERVAL_MS;
  }

  sent(nowMs: number, isFresh: boolean): void {
    if (isFresh) this.#lastFreshMs = nowMs;
    else this.#lastMs = nowMs;
  }
}
