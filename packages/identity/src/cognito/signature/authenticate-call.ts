import type { RateLimits } from '../../limits/rate-limits.ts';
import type { WireRequest } from '../wire/wire-reply.ts';
import { SIGNED_RULES } from './address-rules.ts';
import type { Principal } from './principal.ts';
import { SignatureError } from './signature-error.ts';
import { verifySignedRequest, type VerifySignedRequestContext } from './verify-signed-request.ts';

export interface AuthenticateContext extends VerifySignedRequestContext {
  readonly limits: RateLimits;
}

/** The address has called, or failed, too often; `retryAfterMs` says for how long. */
export class TooManyCallsError extends Error {
  override readonly name = 'TooManyCallsError';
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super('Rate exceeded');
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Counts a signed call and says whose it is. A right signature is taken however many wrong ones came before it from
 * the same address: others behind it must not lock a program out.
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
