import { PortalError } from '@deviceportal/contract/errors';

/** For who changes what somebody else has changed since they looked at it. */
export function staleError(): PortalError {
  return new PortalError('invalidParameters', {
    message:
      'Somebody else has changed it meanwhile. Open it again, and look at what stands there now.',
    issues: [{ path: ['basedOn'], message: 'was changed meanwhile' }],
  });
}
