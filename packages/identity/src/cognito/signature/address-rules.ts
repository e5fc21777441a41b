import type { RateLimitRule } from '../../limits/rate-limits.ts';

const MINUTE_MS = 60_000;

/**
 * Rate limits of one address for signed calls, sufficient for an office or a cluster behind one
 * address.
 */
export const SIGNED_RULES = {
  call: { name: 'signed-call-by-address', hits: 3_000, windowMs: 5 * MINUTE_MS },
  refusal: { name: 'refused-signature-by-address', hits: 100, windowMs: 15 * MINUTE_MS },
} as const satisfies Record<string, RateLimitRule>;
