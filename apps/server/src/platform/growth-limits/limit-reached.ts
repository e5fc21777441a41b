import type { PortalError } from '@deviceportal/contract/errors';
import {
  growthLimits,
  LIMIT_REACHED,
  type GrowthLimitName,
  type LimitReachedFacts,
} from '@deviceportal/contract/growth-limits';
import { refuse } from '@deviceportal/contract/refuse';

/** The error of exceeding a growth limit: 2004, with the limit's name for the portal's message. */
export function limitReached(limit: GrowthLimitName): PortalError {
  const { most, per } = growthLimits[limit];
  const facts: LimitReachedFacts = { reason: LIMIT_REACHED, limit, most };
  return refuse('limit-reached', { facts: { ...facts, per } });
}
