import type { UserFacts } from './user-store.ts';

export interface NewDirectoryUser {
  readonly username: string;
  readonly email: string;
  readonly name: string;
  readonly groups: readonly string[];
}

/** The user pool as the portal needs it: it owns identity and groups (decisions, section 7). */
export interface UserDirectory {
  /** Makes the user, or finds the one of that name. */
  ensureUser(user: NewDirectoryUser): Promise<UserFacts>;
  /** Group names of every user that is in any. */
  groupsByUsername(): Promise<ReadonlyMap<string, readonly string[]>>;
}
