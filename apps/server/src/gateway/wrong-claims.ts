/** Rejected enrollments of one subscriber within the window, before 429. */
const MAX_WRONG_CLAIMS = 20;
export const WRONG_CLAIMS_WINDOW_MS = 600_000;
const MAX_REMEMBERED = 10_000;

/** Counts rejected enrollments by subscriber (`addressBucket`). */
export class WrongClaims {
  readonly #clock: () => Date;
  readonly #counts = new Map<string, { count: number; readonly untilMs: number }>();

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  isLimited(subscriber: string): boolean {
    const entry = this.#counts.get(subscriber);
    if (!entry) return false;
    if (entry.untilMs > this.#clock().getTime()) return entry.count >= MAX_WRONG_CLAIMS;
    this.#counts.delete(subscriber);
    return false;
  }

  count(subscriber: string): void {
    const entry = this.#counts.get(subscriber);
    if (entry) {
      entry.count += 1;
      return;
    }
    const [oldest] = this.#counts.keys();
    if (this.#counts.size >= MAX_REMEMBERED && oldest !== undefined) this.#counts.delete(oldest);
    this.#counts.set(subscriber, {
      count: 1,
      untilMs: this.#clock().getTime() + WRONG_CLAIMS_WINDOW_MS,
    });
  }
}
