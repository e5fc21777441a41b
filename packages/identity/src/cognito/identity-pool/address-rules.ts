import type { RateLimitRule } from '../../limits/rate-limits.ts';

/** What one address may ask of the identity pool; an office of a thousand people behind one address stays below it. */
export const IDENTITY_RULES = {
  call: { name: 'identity-call-by-address', hits: 6_000, windowMs: 15 * 60_000 },
} as const satisfies Record<string, RateLimitRule>;
