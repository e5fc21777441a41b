import type { RateLimitRule } from '../../limits/rate-limits.ts';

/**
 * Rate limits of one address for the identity pool, sufficient for an office of a thousand users.
 */
export const IDENTITY_RULES = {
  call: { name: 'identity-call-by-address', hits: 6_000, windowMs: 15 * 60_000 },
} as const satisfies Record<string, RateLimitRule>;
