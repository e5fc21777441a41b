import type { RateLimits } from '../../limits/rate-limits.ts';
import type { WireRequest } from '../wire/wire-reply.ts';
import { SIGNED_RULES } from './address-rules.ts';
import type { Principal } from './principal.ts';
import { SignatureError } from './signature-error.ts';
import { verifySignedRequest, type VerifySignedRequestContext } from './verify-signed-request.ts';

export interface AuthenticateContext extends VerifySignedRequestContext {
  readonly limits: RateLimits;
}

/** The address has exceeded its rate limit; retry after `retryAfterMs`. */
export class TooManyCallsError extends Error {
  override readonly name = 'TooManyCallsError';
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super('Rate exceeded');
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Counts a signed call and authenticates it. A valid signature is accepted regardless of earlier
 * invalid ones from the same address, so that other clients behind it cannot lock an application
 * out.
 * @throws SignatureError or TooManyCallsError
 */
export async function authenticateCall(
  context: AuthenticateContext,
  request: WireRequest,
  scope: { readonly service: string; readonly regions: readonly string[] },
): Promise<Principal> {
  const subscriber = request.address;
  const waitMs = await context.limits.hit(SIGNED_RULES.call, subscriber);
  if (waitMs > 0) throw new TooManyCallsError(waitMs);
  try {
    return await verifySignedRequest(context, request, scope);
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    const refusedMs = await context.limits.hit(SIGNED_RULES.refusal, subscriber);
    throw refusedMs > 0 ? new TooManyCallsError(refusedMs) : error;
  }
}
