/**
 * Change locks: a changing command locks its device while its step runs. Another user's changing
 * command is rejected or queued, as that user chooses. Read-only commands are never blocked. A lock
 * expires when its step has reported nothing for 15 minutes, because such a step may never end.
 */

import { z } from 'zod';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';

/** How long a step keeps its lock without a report. */
export const CHANGE_LOCK_QUIET_MS = 15 * 60_000;

/** What happens to a command on a locked device: it is rejected there, or queued. */
export const whenLockedSchema = z.enum(['ask', 'queue']);
export type WhenLocked = z.infer<typeof whenLockedSchema>;

export const listChangeLocksInput = z.object({ deviceId: idSchema });

/** A change lock on a device. */
export interface ChangeLock {
  readonly invocationId: string;
  readonly runId: string;
  readonly command: string;
  /** The user who sent the command; masked if the viewer cannot see people. */
  readonly holder: string;
  /** Whether the viewer sent it. A user's own lock does not block the user. */
  readonly own: boolean;
  readonly since: Timestamp;
  readonly expiresAt: Timestamp;
  /** The current step; null before the first one. */
  readonly step: string | null;
}

export const waitsBehindInput = z.object({
  runIds: z.array(idSchema).max(100),
  /** Limits the list to this device. */
  deviceId: idSchema.nullable().default(null),
});
export type WaitsBehindInput = z.infer<typeof waitsBehindInput>;

/** A run whose change locks exclude devices of a target. */
export interface LockHolderRun {
  readonly runId: string;
  readonly command: string;
  readonly holder: string;
  readonly count: number;
}

/** A queued run and the runs that it waits for: at most five, by number of devices. */
export interface RunWait {
  readonly runId: string;
  readonly behind: readonly LockHolderRun[];
}
