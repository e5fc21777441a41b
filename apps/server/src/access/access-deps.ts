import type { NoticeQueue } from '../messages/notice-queue.ts';
import type { Database } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import type { UserDirectory } from './users/user-directory.ts';

/** Ends what a person has queued, and pauses their schedules. */
export type StopQueued = (caller: Caller, userId: string) => Promise<void>;

/** What changes of roles and users work with. */
export interface AccessDeps {
  readonly database: Database;
  readonly directory: UserDirectory;
  readonly clock: () => Date;
  /** Carries invitations. */
  readonly notices: NoticeQueue;
  readonly publicUrl: string;
}
