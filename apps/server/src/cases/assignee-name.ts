import type { ReachingUser } from '../access/data/users-reaching.ts';

/** The name under which an assignee is shown. */
export const nameOf = ({ username, name }: Pick<ReachingUser, 'username' | 'name'>): string =>
  name || username;
