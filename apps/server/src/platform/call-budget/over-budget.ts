import { PortalError } from '@deviceportal/contract/errors';
import { OVER_BUDGET, type OverBudgetFacts } from '@deviceportal/contract/over-budget';

/**
 * The refusal of a call that was not started; the portal makes it again by itself. 429 (RFC 6585, section 4), because
 * the caller asked for too much and the server has no fault.
 */
export function overBudget(retryAfterMs = 0): PortalError {
  const facts: OverBudgetFacts = { reason: OVER_BUDGET, retryAfterMs: Math.ceil(retryAfterMs) };
  return new PortalError('httpUnknown', {
    message: 'The server did not start this call. Try again in a moment.',
    facts: { ...facts },
    httpStatus: 429,
  });
}
