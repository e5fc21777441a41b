import { addressBucket } from '@deviceportal/contract/address-bucket';
import type { Clock } from '../clock.ts';
import type { SecretHash } from '../secrets/secret-hash.ts';
import type { Queryable } from '../database/in-transaction.ts';
import { countHit, uncountHit } from './rate-limit-store.ts';

export interface RateLimitRule {
  readonly name: string;
  readonly hits: number;
  readonly windowMs: number;
}

const MINUTE_MS = 60_000;

/** Rate limits per address, sufficient for an office behind one address. */
export const ADDRESS_RULES = {
  start: { name: 'start-by-address', hits: 60, windowMs: 15 * MINUTE_MS },
  wrongAnswer: { name: 'wrong-answer-by-address', hits: 60, windowMs: 15 * MINUTE_MS },
  newGuest: { name: 'new-guest-by-address', hits: 600, windowMs: 15 * MINUTE_MS },
} as const satisfies Record<string, RateLimitRule>;

/** Rate limits for messages to one user; with three attempts per code, they also limit guessing. */
export const PERSON_RULES = {
  send: { name: 'send-by-person', hits: 5, windowMs: 15 * MINUTE_MS },
} as const satisfies Record<string, RateLimitRule>;

/** Limits that live in the database: they hold across restarts and for all servers together. */
export interface RateLimits {
  /**
   * Counts a hit; an address counts as its `addressBucket`.
   * @param on the transaction of what is counted, so that only what was done counts
   * @returns how long to wait, or 0 when the hit is within the limit
   */
  hit(rule: RateLimitRule, subject: string, on?: Queryable): Promise<number>;
  /** Takes a hit back when what it counted did not happen. */
  undo(rule: RateLimitRule, subject: string): Promise<void>;
}

export function createRateLimits(
  db: Queryable,
  options: {
    readonly clock: Clock;
    readonly hash: SecretHash;
    readonly limits: 'on' | 'off';
  },
): RateLimits {
  const key = (rule: RateLimitRule, subject: string): Buffer =>
    options.hash('rate-limit', rule.name, addressBucket(subject));
  return {
    async hit(rule, subject, on = db) {
      if (options.limits === 'off') return 0;
      const nowMs = options.clock.now();
      const state = await countHit(on, key(rule, subject), {
        now: new Date(nowMs),
        endsAt: new Date(nowMs + rule.windowMs),
      });
      return state.hits <= rule.hits ? 0 : Math.max(1, state.windowEndsAt.getTime() - nowMs);
    },
    async undo(rule, subject) {
      if (options.limits === 'on') await uncountHit(db, key(rule, subject));
    },
  };
}
