import { availableParallelism } from 'node:os';
import { Slots } from './slots.ts';

/**
 * Concurrent calls of one user, over all requests: one more than the number of cores, at most
 * eight. More would only take capacity from other users.
 */
export const USER_CONCURRENCY = Math.min(8, availableParallelism() + 1);
const MOST_WAITING = 1_000;
/** Requests of one user whose responses are not fully read. */
const MOST_OPEN_REQUESTS = 64;
/** Burst size of changes of one user, and the refill rate per second. */
export const CHANGES_AT_ONCE = 1_000;
export const CHANGES_PER_SECOND = 10;
/** Burst size of server time of one user in milliseconds, and the refill rate per second. */
export const USER_BURST_MS = 20_000;
export const USER_REFILL_PER_SECOND_MS = 1_500;
/**
 * Share of server time that a user's screens need: burst size and refill rate per second. Beyond
 * it, the user's calls run one at a time, and while others are queued, the queue pauses after each
 * call for a multiple of its duration. Repeated calls of one user thus leave most of the capacity
 * to other users. Sequential calls are not delayed, and neither is a single batch of a large
 * screen, up to its debt.
 */
export const SHARE_BURST_MS = 500;
export const SHARE_PER_SECOND_MS = 500;
export const SHARE_DEBT_MS = 3_000;
export const REST_FACTOR = 2;
export const MOST_REST_MS = 10_000;

/**
 * Budget of one user: token buckets for call durations and for changes, which are all kept in the
 * audit trail, and limits on concurrent calls and requests. Waiting for the database counts as
 * server time, because all users share its connections.
 */
export class UserBudget {
  readonly slots = new Slots(USER_CONCURRENCY, MOST_WAITING);
  /** Queue of calls beyond the user's share. */
  readonly line = new Slots(1, MOST_WAITING);
  readonly #now: () => number;
  #leftMs = USER_BURST_MS;
  #shareMs = SHARE_BURST_MS;
  #changesLeft = CHANGES_AT_ONCE;
  #openRequests = 0;
  #refilledAtMs: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#refilledAtMs = this.#now();
  }

  /** Time until a call can start; 0 if it can start now. */
  get waitMs(): number {
    this.#refill();
    return this.#leftMs > 0 ? 0 : (1_000 * (1 - this.#leftMs)) / USER_REFILL_PER_SECOND_MS;
  }

  /** Time until a change can start; 0 if it can start now, in which case it is counted. */
  takeChange(): number {
    this.#refill();
    if (this.#changesLeft < 1) return (1_000 * (1 - this.#changesLeft)) / CHANGES_PER_SECOND;
    this.#changesLeft -= 1;
    return 0;
  }

  /** @returns whether another request can be opened; call `closeRequest` afterwards if so */
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

  /**
   * @returns pause of the queue in milliseconds: 0 while no other call of the user runs or is
   * queued
   */
  use(durationMs: number): number {
    this.#refill();
    this.#leftMs -= durationMs;
    this.#shareMs = Math.max(this.#shareMs - durationMs, -SHARE_DEBT_MS);
    return this.slots.taken > 1 ? Math.min(durationMs * REST_FACTOR, MOST_REST_MS) : 0;
  }

  #refill(): void {
    const nowMs = this.#now();
    const seconds = (nowMs - this.#refilledAtMs) / 1_000;
    this.#leftMs = Math.min(USER_BURST_MS, this.#leftMs + seconds * USER_REFILL_PER_SECOND_MS);
    this.#shareMs = Math.min(SHARE_BURST_MS, this.#shareMs + seconds * SHARE_PER_SECOND_MS);
    this.#changesLeft = Math.min(CHANGES_AT_ONCE, this.#changesLeft + seconds * CHANGES_PER_SECOND);
    this.#refilledAtMs = nowMs;
  }
}
