import type { UserStatus } from '@deviceportal/contract/states';
import type { Caller } from '../../platform/viewer.ts';
import type { UserFacts } from '../data/user-queries.ts';

export interface NewDirectoryUser {
  readonly username: string;
  readonly email: string;
  readonly name: string;
  readonly groups: readonly string[];
}

/** The user pool as the portal needs it: it owns identity and groups (docs/design/decisions.md, section 7). */
export interface UserDirectory {
  /** Makes the user, or finds the one of that name. */
  ensureUser(user: NewDirectoryUser): Promise<UserFacts>;
  /** Group names of every user that is in any. By subject: names can be chosen, and changed. */
  groupsBySubject(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Undefined where people are kept at a provider elsewhere: it is changed there. */
  readonly administration?: DirectoryAdministration | undefined;
}

/** A person as they are to be entered in the user pool. */
export interface InvitedUser {
  readonly username: string;
  readonly email: string | undefined;
  readonly phoneNumber: string | undefined;
  readonly name: string | undefined;
}

/** One sign-in that goes on. */
export interface DirectorySession {
  readonly id: string;
  readonly signedInAt: Date;
  readonly endsAt: Date;
}

/** The account took so many wrong codes in a row, and has been locked since. */
export interface DirectoryLock {
  readonly wrong: number;
  readonly lockedAt: Date;
}

/** Whether somebody may sign in, as the pool knows it. */
export interface DirectoryEntry extends UserFacts {
  readonly enabled: boolean;
}

/** Changes of the user pool. Each is written down by the pool itself, in the caller's name. */
export interface DirectoryAdministration {
  /** @throws PortalError userAlreadyExists, notFound, or invalidParameters with the pool's field names */
  createUser(user: InvitedUser, caller: Caller): Promise<UserFacts>;
  findUser(identifier: string): Promise<UserFacts | undefined>;
  /**
   * Who is in it: everybody is the portal's, in pages by the order of user names; or, where people of other programs are
   * kept, too, those of them whom the portal knows.
   */
  readonly roster: DirectoryRoster;
  groupsOf(subject: string): Promise<readonly string[]>;
  isEnabled(subject: string): Promise<boolean>;
  /** Only who is activated may sign in; anybody else has no session either. */
  setStatus(subject: string, status: UserStatus, caller: Caller): Promise<void>;
  setMember(subject: string, member: GroupMembership, caller: Caller): Promise<void>;
  listSessions(subject: string): Promise<readonly DirectorySession[]>;
  /** @throws PortalError notFound when it has ended already */
  endSession(subject: string, sessionId: string, caller: Caller): Promise<void>;
  endAllSessions(subject: string, caller: Caller): Promise<void>;
  /** Those of them to whose accounts nobody can sign in, for too many wrong codes in a row. */
  findLocks(subjects: readonly string[]): Promise<ReadonlyMap<string, DirectoryLock>>;
  /** What is not locked stays as it is. */
  unlock(subject: string, by: Caller | 'operator'): Promise<void>;
}

export type DirectoryRoster =
  | {
      readonly kind: 'everybody';
      list(after: string | undefined, limit: number): Promise<readonly DirectoryEntry[]>;
    }
  | {
      readonly kind: 'known';
      find(subjects: readonly string[]): Promise<readonly DirectoryEntry[]>;
    };

export interface GroupMembership {
  readonly group: string;
  readonly isMember: boolean;
}
