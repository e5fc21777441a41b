import { availableParallelism } from 'node:os';
import { Slots } from './slots.ts';

/**
 * Calls of one person that run at the same time, over all of their requests: one more than there are cores, eight at
 * most. A larger share would only be taken from the others.
 */
export const PERSON_CONCURRENCY = Math.min(8, availableParallelism() + 1);
const MOST_WAITING = 1_000;
/** Requests of one person whose answers have not been read to their end. */
const MOST_OPEN_REQUESTS = 64;
/** Changes that a person may make at once, and how many of them come back in each second. */
export const CHANGES_AT_ONCE = 1_000;
export const CHANGES_PER_SECOND = 10;
/** Server time that a person may use at once, and what comes back of it in each second. */
export const PERSON_BURST_MS = 20_000;
export const PERSON_REFILL_PER_SECOND_MS = 1_500;
/**
 * Server time that a person's screens take, at once and in each second. Beyond it their calls run one after the other,
 * and while others of theirs wait, the line rests after each for a multiple of its time: what one person repeats leaves
 * most of the machine to other people. Calls that are made one after the other are not held up, nor is the one batch of
 * a large screen, up to its debt.
 */
export const SHARE_BURST_MS = 500;
export const SHARE_PER_SECOND_MS = 500;
export const SHARE_DEBT_MS = 3_000;
export const REST_FACTOR = 2;
export const MOST_REST_MS = 10_000;

/**
 * What one person may use of the server: token buckets of call durations and of changes, each of which is kept in the
 * audit trail, and limits of calls and requests at the same time. Waiting for the database counts as server time: all
 * people share its connections.
 */
export class PersonBudget {
  readonly slots = new Slots(PERSON_CONCURRENCY, MOST_WAITING);
  /** For calls beyond the person's share. */
  readonly line = new Slots(1, MOST_WAITING);
  readonly #now: () => number;
  #leftMs = PERSON_BURST_MS;
  #shareMs = SHARE_BURST_MS;
  #changesLeft = CHANGES_AT_ONCE;
  #openRequests = 0;
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

  /** How long until a change may start; 0 where it may start now, and counts. */
  takeChange(): number {
    this.#refill();
    if (this.#changesLeft < 1) return (1_000 * (1 - this.#changesLeft)) / CHANGES_PER_SECOND;
    this.#changesLeft -= 1;
    return 0;
  }

  /** @returns whether one more request may be open; then `closeRequest` must follow */
  openRequest(): boolean {
    if (this.#openRequests >= MOST_OPEN_REQUESTS) return false;
    this.#openRequests += 1;
    return true;
  }

  closeRequest(): void {
    this.#openRequests -= 1;
  }

  get isBeyondShare(): boolean {
    this.#refill();
    return this.#shareMs <= (this.#openRequests > 1 ? 0 : -SHARE_DEBT_MS);
  }

  /** @returns milliseconds for which the line rests: 0 while no other call of the person runs or waits */
  use(durationMs: number): number {
    this.#refill();
    this.#leftMs -= durationMs;
    this.#shareMs = Math.max(this.#shareMs - durationMs, -SHARE_DEBT_MS);
    return this.slots.taken > 1 ? Math.min(durationMs * REST_FACTOR, MOST_REST_MS) : 0;
  }

  #refill(): void {
    const nowMs = this.#now();
    const seconds = (nowMs - this.#refilledAtMs) / 1_000;
    this.#leftMs = Math.min(PERSON_BURST_MS, this.#leftMs + seconds * PERSON_REFILL_PER_SECOND_MS);
    this.#shareMs = Math.min(SHARE_BURST_MS, this.#shareMs + seconds * SHARE_PER_SECOND_MS);
    this.#changesLeft = Math.min(CHANGES_AT_ONCE, this.#changesLeft + seconds * CHANGES_PER_SECOND);
    this.#refilledAtMs = nowMs;
  }
}
