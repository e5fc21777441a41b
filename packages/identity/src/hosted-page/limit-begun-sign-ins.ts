import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimitRule } from '../limits/rate-limits.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { findBrowserSignIn } from './browser-sign-in.ts';
import { sendMessage } from './send-message.ts';

/** Of one address, or of one sign-in; an office of a thousand people behind one address stays below it. */
const rule: RateLimitRule = { name: 'provider-begun', hits: 3_000, windowMs: 15 * 60_000 };

/** Refuses an address that begins too many sign-ins: each is kept until it is finished or expires. */
export function limitBegunSignIns(context: ProviderContext) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> => {
    const signIn = await findBrowserSignIn(context, request.headers);
    const waitMs = await context.limits.hit(rule, signIn?.session.id ?? request.ip);
    if (waitMs === 0) return undefined;
    reply.header('retry-after', Math.ceil(waitMs / 1_000));
    return sendMessage(context, { request, reply }, 'tooManyRequests');
  };
}
