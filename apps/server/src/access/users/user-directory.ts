import type { UserStatus } from '@deviceportal/contract/states';
import type { Caller } from '../../platform/viewer.ts';
import type { UserFacts } from '../data/user-queries.ts';

export interface NewDirectoryUser {
  readonly username: string;
  readonly email: string;
  readonly name: string;
  readonly groups: readonly string[];
}

/** The portal's interface to the user pool, which owns identity and groups (docs/design/decisions.md, section 7). */
export interface UserDirectory {
  /** Creates the user, or returns the user with that name. */
  ensureUser(user: NewDirectoryUser): Promise<UserFacts>;
  /** Group names of all users with a group, by subject, because usernames can be chosen and changed. */
  groupsBySubject(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Undefined if users are managed at an external provider. */
  readonly administration?: DirectoryAdministration | undefined;
}

/** A user to be created in the user pool. */
export interface InvitedUser {
  readonly username: string;
  readonly email: string | undefined;
  readonly phoneNumber: string | undefined;
  readonly name: string | undefined;
}

/** Null removes the value. */
export interface DirectoryProfile {
  readonly email: string | null;
  readonly phoneNumber: string | null;
  readonly name: string | null;
}

/** An active session. */
export interface DirectorySession {
  readonly id: string;
  readonly signedInAt: Date;
  readonly endsAt: Date;
}

/** A lock of an account after too many wrong codes in a row. */
export interface DirectoryLock {
  readonly wrong: number;
  readonly lockedAt: Date;
}

/** Whether a user can sign in, according to the pool. */
export interface DirectoryEntry extends UserFacts {
  readonly enabled: boolean;
}

/** Changes of the user pool. The pool records each of them with the caller. */
export interface DirectoryAdministration {
  /** @throws PortalError userAlreadyExists, notFound, or invalidParameters with the pool's field names */
  createUser(user: InvitedUser, caller: Caller): Promise<UserFacts>;
  findUser(identifier: string): Promise<UserFacts | undefined>;
  /**
   * Changes addresses and name, which count as verified. The username is permanent.
   * @throws PortalError userAlreadyExists, notFound, or invalidParameters
   */
  changeProfile(subject: string, profile: DirectoryProfile, caller: Caller): Promise<UserFacts>;
  /**
   * Which users the directory lists: all users of the portal, in pages sorted by username; or, if the directory also
   * contains users of other applications, only those known to the portal.
   */
  readonly roster: DirectoryRoster;
  groupsOf(subject: string): Promise<readonly string[]>;
  isEnabled(subject: string): Promise<boolean>;
  /** Only activated users can sign in; for other statuses all sessions end. */
  setStatus(subject: string, status: UserStatus, caller: Caller): Promise<void>;
  setMember(subject: string, member: GroupMembership, caller: Caller): Promise<void>;
  listSessions(subject: string): Promise<readonly DirectorySession[]>;
  /** @throws PortalError notFound if it has already ended */
  endSession(subject: string, sessionId: string, caller: Caller): Promise<void>;
  endAllSessions(subject: string, caller: Caller): Promise<void>;
  /** Accounts that are locked after too many wrong codes in a row. */
  findLocks(subjects: readonly string[]): Promise<ReadonlyMap<string, DirectoryLock>>;
  /** Does nothing if the account is not locked. */
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
