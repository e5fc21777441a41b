import type { TokenFault } from '@deviceportal/contract/session-refusals';

/**
 * Whether the keys were unavailable, so that the token could not be checked and may be valid at the next attempt. Not
 * the back-off period: then the keys are available and the token's key is not among them. Otherwise an attacker who
 * names unknown keys would get the response for an unavailable provider and be asked to retry.
 */
export function isKeySetFault(fault: TokenFault): boolean {
  return fault.startsWith('key-set-') && fault !== 'key-set-back-off';
}
