import { Slots } from './slots.ts';

/**
 * Calls of one person that run at the same time, over all of their requests. Two cores serve no more at once: a larger
 * share would only be taken from the others.
 */
const PERSON_CONCURRENCY = 4;
const MOST_WAITING = 1_000;
/** Server time that a person may use at once, and what comes back of it in each second. */
export const PERSON_BURST_MS = 20_000;
export const PERSON_REFILL_PER_SECOND_MS = 1_500;

/**
 * The server time of one person: a token bucket of call durations, and a limit of calls that run at the same time.
 * Waiting for the database counts as well: all people share its connections.
 */
export class PersonBudget {
  readonly slots = new Slots(PERSON_CONCURRENCY, MOST_WAITING);
  readonly #now: () => number;
  #leftMs = PERSON_BURST_MS;
  #refilledAtMs: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#refilledAtMs = this.#now();
  }

  /** How long until a call may start; 0 for now. */
  get waitMs(): number {
    this.#refill();
    return this.#leftMs > 0 ? 0 : (1_000 * (1 - this.#leftMs)) / PERSON_REFILL_PER_SECOND_MS;
  }

  use(durationMs: number): void {
    this.#refill();
    this.#leftMs -= durationMs;
  }

  #refill(): void {
    const nowMs = this.#now();
    const back = ((nowMs - this.#refilledAtMs) * PERSON_REFILL_PER_SECOND_MS) / 1_000;
    this.#leftMs = Math.min(PERSON_BURST_MS, this.#leftMs + back);
    this.#refilledAtMs = nowMs;
  }
}
