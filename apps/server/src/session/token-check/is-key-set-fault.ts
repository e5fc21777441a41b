import type { TokenFault } from '@deviceportal/contract/session-refusals';

/**
 * Says nothing about the token: the keys to judge it by could not be had. The same token may pass in a moment. In the
 * back-off period the keys are there, and the token's is not among them: otherwise a stranger who names keys that do not
 * exist would be told of a connection that is missing, and asked to come again.
 */
export function isKeySetFault(fault: TokenFault): boolean {
  return fault.startsWith('key-set-') && fault !== 'key-set-back-off';
}
