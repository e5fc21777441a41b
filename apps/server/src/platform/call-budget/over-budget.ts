import { PortalError } from '@deviceportal/contract/errors';
import { OVER_BUDGET, type OverBudgetFacts } from '@deviceportal/contract/over-budget';

/**
 * The error of a call that was not started; the portal retries it automatically. HTTP 429 (RFC
 * 6585, section 4), because the limit is per caller.
 */
export function overBudget(retryAfterMs = 0): PortalError {
  const facts: OverBudgetFacts = { reason: OVER_BUDGET, retryAfterMs: Math.ceil(retryAfterMs) };
  return new PortalError('httpUnknown', {
    message: 'The server is busy and did not start this call. Try again in a moment.',
    facts: { ...facts },
    httpStatus: 429,
  });
}
