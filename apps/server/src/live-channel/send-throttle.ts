/** At most four sends a second for each viewer, evenly spaced. */
const SENDS_PER_SECOND = 4;
const SEND_INTERVAL_MS = 1_000 / SENDS_PER_SECOND;
/** Delay of the first answer to a watch request, which the rate limit does not delay further. */
const FRESH_INTERVAL_MS = 50;

/** Determines when the next update may be sent to a viewer. Times are those of `performance.now()`. */
export class SendThrottle {
  #lastMs = Number.NEGATIVE_INFINITY;
  #lastFreshMs = Number.NEGATIVE_INFINITY;

  /** @param isFresh whether a watch request is answered for the first time */
  dueAtMs(isFresh: boolean): number {
    return isFresh ? this.#lastFreshMs + FRESH_INTERVAL_MS : this.#lastMs + SEND_INTERVAL_MS;
  }

  sent(nowMs: number, isFresh: boolean): void {
    if (isFresh) this.#lastFreshMs = nowMs;
    else this.#lastMs = nowMs;
  }
}
