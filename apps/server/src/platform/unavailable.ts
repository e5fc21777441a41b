import { PortalError, type PortalErrorOptions } from '@deviceportal/contract/errors';

/**
 * A dependency of the server is unavailable. Code 2000; 2002 means that there was no response at
 * all (docs/design/portal.md, section 8).
 */
export function unavailable(options: Pick<PortalErrorOptions, 'detail' | 'cause'>): PortalError {
  return new PortalError('httpUnknown', {
    ...options,
    message: 'The service is not available at the moment. Try again.',
  });
}
