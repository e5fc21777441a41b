import type { FastifyReply } from 'fastify';
import { refuse } from '@deviceportal/contract/refuse';
import { TokenBuckets } from '../../platform/token-buckets.ts';

/** Requests of one token on one server. */
export const API_RATE = { burst: 100, perSecond: 10 } as const;
const WINDOW_SECONDS = API_RATE.burst / API_RATE.perSecond;

/** Limits the requests of each token, and tells the client how many are left (draft-ietf-httpapi-ratelimit-headers). */
export class RateLimit {
  readonly #buckets = new TokenBuckets(API_RATE);

  /** @throws PortalError 2000 (429) */
  take(tokenId: string, reply: FastifyReply): void {
    const bucket = this.#buckets.of(tokenId);
    const isAllowed = bucket.take();
    const left = Math.floor(bucket.left);
    const seconds = Math.ceil((API_RATE.burst - left) / API_RATE.perSecond);
    reply.header('ratelimit-policy', `"default";q=${API_RATE.burst};w=${WINDOW_SECONDS}`);
    reply.header('ratelimit', `"default";r=${left};t=${seconds}`);
    if (isAllowed) return;
    throw refuse('api-rate-limit', { facts: { seconds: 1 }, httpStatus: 429 });
  }
}
