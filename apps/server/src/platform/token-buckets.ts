import type { BucketRule } from '@deviceportal/contract/device-limits';

type Now = () => number;
const steadyNow: Now = () => performance.now();

/** What is in a bucket after a while. */
export const refilled = (rule: BucketRule, left: number, elapsedMs: number): number =>
  Math.min(rule.burst, left + (Math.max(0, elapsedMs) * rule.perSecond) / 1_000);

export class TokenBucket {
  readonly #rule: BucketRule;
  readonly #now: Now;
  #left: number;
  #atMs: number;

  constructor(rule: BucketRule, now: Now = steadyNow) {
    this.#rule = rule;
    this.#now = now;
    this.#left = rule.burst;
    this.#atMs = this.#now();
  }

  get left(): number {
    const nowMs = this.#now();
    this.#left = refilled(this.#rule, this.#left, nowMs - this.#atMs);
    this.#atMs = nowMs;
    return this.#left;
  }

  get isFull(): boolean {
    return this.left >= this.#rule.burst;
  }

  /** Takes what is asked for where it is there; else nothing. */
  take(tokens = 1): boolean {
    if (this.left < tokens) return false;
    this.#left -= tokens;
    return true;
  }

  /**
   * Takes it in any case; the debt is never more than a burst.
   *
   * @returns how long until nothing is owed, in milliseconds
   */
  owe(tokens: number): number {
    this.#left = Math.max(-this.#rule.burst, this.left - tokens);
    return this.#left >= 0 ? 0 : (-this.#left / this.#rule.perSecond) * 1_000;
  }

  giveBack(tokens = 1): void {
    this.#left = Math.min(this.#rule.burst, this.left + tokens);
  }
}

export interface TokenBucketsOptions {
  /** Milliseconds, steady. */
  readonly now?: Now;
  readonly maxKeys?: number;
}

const MAX_KEYS = 50_000;
/** When there is no room for one more, so many go, so that making room costs little for each. */
const SHARE_MADE_FREE = 0.1;

/** A token bucket for each key, in memory. Buckets that are full again are forgotten. */
export class TokenBuckets {
  readonly #rule: BucketRule;
  readonly #now: Now;
  readonly #maxKeys: number;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(rule: BucketRule, options: TokenBucketsOptions = {}) {
    this.#rule = rule;
    this.#now = options.now ?? steadyNow;
    this.#maxKeys = options.maxKeys ?? MAX_KEYS;
  }

  of(key: string): TokenBucket {
    const known = this.#buckets.get(key);
    if (known) return known;
    if (this.#buckets.size >= this.#maxKeys) this.#makeRoom();
    const fresh = new TokenBucket(this.#rule, this.#now);
    this.#buckets.set(key, fresh);
    return fresh;
  }

  /** Those that are full say nothing; where that is not enough, the oldest go. */
  #makeRoom(): void {
    for (const [key, bucket] of this.#buckets) if (bucket.isFull) this.#buckets.delete(key);
    const most = Math.floor(this.#maxKeys * (1 - SHARE_MADE_FREE));
    for (const key of this.#buckets.keys()) {
      if (this.#buckets.size <= most) return;
      this.#buckets.delete(key);
    }
  }
}
