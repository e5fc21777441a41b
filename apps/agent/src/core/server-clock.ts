/**
 * Offset between this device's clock and the server's, from the `Date` header of a response (RFC
 * 9110, section 6.6.1). A wrong clock makes certificates seem invalid and commands seem expired, so
 * it is reported and corrected for.
 */

import { type Logger, reasonOf } from '../logger.ts';

const TOLERATED_MS = 120_000;
/**
 * Maximum difference between the wall clock and the monotonic clock before the server's time is
 * requested again.
 */
const STEP_MS = 30_000;
const EVERY_MS = 3_600_000;
const REQUEST_LIMIT_MS = 5_000;
const RETRY_MS = 60_000;

export interface ServerClockOptions {
  readonly serverUrl: () => string;
  readonly fetch: typeof fetch;
  readonly now: () => number;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicNow: () => number;
  readonly log: Logger;
}

export class ServerClock {
  readonly #options: ServerClockOptions;
  #offsetMs = 0;
  #measured: { readonly nowMs: number; readonly monotonicMs: number } | undefined;
  #measuring: Promise<void> | undefined;
  #failedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ServerClockOptions) {
    this.#options = options;
  }

  /** The server's time as far as known, in milliseconds since 1970. */
  now(): number {
    return this.#options.now() + this.#offsetMs;
  }

  /** How far this device's clock is ahead of the server's; undefined before it was compared. */
  aheadMs(): number | undefined {
    return this.#measured && -this.#offsetMs;
  }

  /** Whether the server's time was learned, and this device's clock was not set since. */
  isKnown(): boolean {
    if (this.#measured === undefined) return false;
    const monotonicMs = this.#options.monotonicNow() - this.#measured.monotonicMs;
    const stepMs = this.#options.now() - this.#measured.nowMs - monotonicMs;
    return Math.abs(stepMs) < STEP_MS;
  }

  /** The self-check's message about a wrong clock; otherwise null. */
  warning(): string | null {
    const size = Math.abs(this.#offsetMs);
    if (size < TOLERATED_MS) return null;
    return `${Math.round(size / 60_000)} min ${this.#offsetMs > 0 ? 'behind' : 'ahead'}`;
  }

  /**
   * Requests the server's time if due: at the start, at intervals, and when the clock was set.
   * Never rejects.
   */
  async check(): Promise<void> {
    if (!this.#isDue()) return;
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = undefined;
    });
    await this.#measuring;
  }

  #isDue(): boolean {
    if (this.#options.monotonicNow() - this.#failedAtMs < RETRY_MS) return false;
    if (!this.#measured || this.warning() !== null) return true;
    const monotonicMs = this.#options.monotonicNow() - this.#measured.monotonicMs;
    return monotonicMs >= EVERY_MS || !this.isKnown();
  }

  async #measure(): Promise<void> {
    const { serverUrl, fetch: ask, now, monotonicNow, log } = this.#options;
    const sentMs = now();
    try {
      const response = await ask(new URL('/healthz', serverUrl()), {
        method: 'HEAD',
        signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
      });
      const serverMs = Date.parse(response.headers.get('date') ?? '');
      if (Number.isNaN(serverMs)) throw new Error('the response has no date');
      // The header has a resolution of one second, so add half a second on average.
      this.#offsetMs = serverMs + 500 - (sentMs + now()) / 2;
      this.#measured = { nowMs: now(), monotonicMs: monotonicNow() };
    } catch (error) {
      this.#failedAtMs = monotonicNow();
      log('warn', "the server's time is unknown", { reason: reasonOf(error) });
    }
  }
}
