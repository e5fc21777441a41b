import { refuse } from '@deviceportal/contract/refuse';
import type { UserDirectory } from './users/user-directory.ts';

/**
 * The users of a hosted pool or an external provider: they are kept there, and the portal gets to know each of them,
 * with their groups, when they sign in.
 */
export const externalDirectory: UserDirectory = {
  ensureUser: async () => {
    throw refuse('users-kept-elsewhere');
  },
  groupsBySubject: async () => new Map(),
};
