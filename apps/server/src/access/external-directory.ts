import { refuse } from '@deviceportal/contract/refuse';
import type { UserDirectory } from './users/user-directory.ts';

/**
 * Directory of a hosted pool or an external provider. Users are managed there; the portal learns of each user and their
 * groups at sign-in.
 */
export const externalDirectory: UserDirectory = {
  ensureUser: async () => {
    throw refuse('users-kept-elsewhere');
  },
  groupsBySubject: async () => new Map(),
};
