import { declaredFacts } from '@deviceportal/contract/declared-facts';
import type { PortalError, PortalErrorData } from '@deviceportal/contract/errors';

/** An error as it travels. */
export function portalErrorData(error: PortalError, requestId: string): PortalErrorData {
  const { code, errorName: name, message, issues, reason } = error;
  const facts = declaredFacts(reason, error.facts);
  return { code, name, message, issues, facts, reason, requestId };
}
