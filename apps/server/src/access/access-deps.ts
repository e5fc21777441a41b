import type { NoticeQueue } from '../messages/notice-queue.ts';
import type { Database } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import type { UserDirectory } from './users/user-directory.ts';

/** Cancels a user's queued commands and pauses their schedules. */
export type StopQueued = (caller: Caller, userId: string) => Promise<void>;

/** Dependencies of changes to roles and users. */
export interface AccessDeps {
  readonly database: Database;
  readonly directory: UserDirectory;
  readonly clock: () => Date;
  /** Sends invitations. */
  readonly notices: NoticeQueue;
  readonly publicUrl: string;
}
