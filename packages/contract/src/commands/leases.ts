/**
 * A command that changes a device holds it for as long as its step goes on: somebody else who starts another one there
 * sees it first, and says what is to become of theirs. Reading is never held up. A step that has said nothing for a
 * quarter of an hour holds its device no more: it may never end.
 */

import { z } from 'zod';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';

/** For so long a step may say nothing and hold its device all the same. */
export const LEASE_QUIET_MS = 15 * 60_000;

/** What becomes of a command on a device that somebody else is changing: it is refused there, or waits its turn. */
export const whenBusySchema = z.enum(['ask', 'queue']);
export type WhenBusy = z.infer<typeof whenBusySchema>;

export const listLeasesInput = z.object({ deviceId: idSchema });

/** A change of a device that goes on. */
export interface Lease {
  readonly invocationId: string;
  readonly runId: string;
  readonly command: string;
  /** Who sent it; masked where the viewer may not see people. */
  readonly holder: string;
  /** Whether the viewer sent it: one's own is no hindrance. */
  readonly own: boolean;
  readonly since: Timestamp;
  readonly expiresAt: Timestamp;
  /** The step that it is at; null before its first. */
  readonly step: string | null;
}

export const waitsBehindInput = z.object({
  runIds: z.array(idSchema).max(100),
  /** Only there. */
  deviceId: idSchema.nullable().default(null),
});
export type WaitsBehindInput = z.infer<typeof waitsBehindInput>;

/** A run for which devices of a target are left out. */
export interface BusyRun {
  readonly runId: string;
  readonly command: string;
  readonly holder: string;
  readonly count: number;
}

/** A run that waits its turn, and those that it waits for: most of its devices first, at most five. */
export interface RunWait {
  readonly runId: string;
  readonly behind: readonly BusyRun[];
}
