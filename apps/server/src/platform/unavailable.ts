import { PortalError, type PortalErrorOptions } from '@deviceportal/contract/errors';

/**
 * The server answers, but something it needs does not. It is 2000: 2002 means that no answer came at all
 * (docs/design/portal.md, section 8).
 */
export function unavailable(options: Pick<PortalErrorOptions, 'detail' | 'cause'>): PortalError {
  return new PortalError('httpUnknown', {
    ...options,
    message: 'The service is not available at the moment. Try again.',
  });
}
