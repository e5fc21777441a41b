import type { BucketRule } from '@deviceportal/contract/device-limits';

type Now = () => number;
const steadyNow: Now = () => performance.now();

/** Content of a bucket after a time. */
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

  /** Takes the tokens if they are available; otherwise none. */
  take(tokens = 1): boolean {
    if (this.left < tokens) return false;
    this.#left -= tokens;
    return true;
  }

  /**
   * Takes the tokens in any case. The debt is at most one burst.
   *
   * @returns time until the debt is paid, in milliseconds
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
  /** Milliseconds, monotonic. */
  readonly now?: Now;
  readonly maxKeys?: number;
}

const MAX_KEYS = 50_000;
/**
 * Share of buckets that are evicted at once when there is no room, so that eviction is cheap on
 * average.
 */
const SHARE_MADE_FREE = 0.1;

/** Token buckets by key, in memory. Full buckets are removed. */
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

  /** Removes full buckets, and the oldest ones if that is not enough. */
  #makeRoom(): void {
    for (const [key, bucket] of this.#buckets) if (bucket.isFull) this.#buckets.delete(key);
    const most = Math.floor(this.#maxKeys * (1 - SHARE_MADE_FREE));
    for (const key of this.#buckets.keys()) {
      if (this.#buckets.size <= most) return;
      this.#buckets.delete(key);
    }
  }
}
