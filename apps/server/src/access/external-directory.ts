import { PortalError } from '@deviceportal/contract/errors';
import type { UserDirectory } from './users/user-directory.ts';

/**
 * The users of a hosted pool or an external provider: they are kept there, and the portal gets to know each of them,
 * with their groups, when they sign in.
 */
export const externalDirectory: UserDirectory = {
  ensureUser: async () => {
    throw new PortalError('invalidParameters', {
      message: 'People are added at the identity provider; they appear here when they sign in.',
    });
  },
  groupsBySubject: async () => new Map(),
};
