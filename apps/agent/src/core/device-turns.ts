/** Queues changes of this device by different users. Read-only commands never wait. */

import { CHANGE_LOCK_QUIET_MS } from '@deviceportal/contract/change-locks';

export interface RunningChange {
  /** The user who sent it; null for a read-only command. */
  readonly holder: string | null;
  /** Time of its last activity: start, step, or output. */
  readonly newsAtMs: number;
}

const hinders = (holder: string, other: string | null): boolean =>
  other !== null && other !== holder;

/**
 * Until when a change must wait for other users' running changes if they report nothing more. A
 * change without activity for this time no longer holds the lock. Null if it can start now;
 * `Infinity` behind one that has not started.
 */
export function waitsUntilMs(
  holder: string | null,
  {
    running,
    before,
    nowMs,
  }: {
    readonly running: readonly RunningChange[];
    /** Holders of earlier commands that have not started. */
    readonly before: readonly (string | null)[];
    readonly nowMs: number;
  },
): number | null {
  if (holder === null) return null;
  if (before.some((other) => hinders(holder, other))) return Infinity;
  const ends = running
    .filter((change) => hinders(holder, change.holder))
    .map(({ newsAtMs }) => newsAtMs + CHANGE_LOCK_QUIET_MS)
    .filter((endMs) => endMs > nowMs);
  return ends.length === 0 ? null : Math.max(...ends);
}
